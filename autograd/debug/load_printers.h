// Names backstep_gdb.py in the program, so that gdb loads it together with any program that links Backstep, if its
// `auto-load safe-path` covers the file (docs/debugging-with-gdb.md). Included by one file that is surely linked: from
// a static library the linker takes only what is referred to. Costs some bytes of the file, which are not loaded.
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
