// Writes the name of backstep_gdb.py into every program that links Backstep. gdb then loads that file with the program,
// if its `auto-load safe-path` covers it (docs/debugging-with-gdb.md). Included by one file that is always linked.
#pragma once

#if defined(__ELF__) && defined(BACKSTEP_GDB_SCRIPT)
// The byte 1 means: the name of a file in Python.
__asm__(
    ".pushsection \".debug_gdb_scripts\", \"MS\", %progbits, 1\n"
    ".byte 1\n"
    ".asciz \"" BACKSTEP_GDB_SCRIPT
    "\"\n"
    ".popsection\n");
#endif
