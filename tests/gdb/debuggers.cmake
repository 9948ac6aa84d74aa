# What gdb and LLDB show, compared with transcripts. After a change that is meant:
#
#   cmake --build build/debug --target update_transcripts
#
# (Debug writes them all; the tests of the other builds compare with the same files.)

set(folder ${PROJECT_SOURCE_DIR}/tests/gdb)
find_program(GDB gdb)
find_program(LLDB NAMES lldb lldb-14)

# One of everything that the printers show. Its own debug information is all they need.
add_executable(printers_program gdb/printers_program.cpp)
target_link_libraries(printers_program PRIVATE backstep::autograd)
backstep_compile_options(printers_program)
target_compile_options(printers_program PRIVATE -g $<$<CXX_COMPILER_ID:Clang>:-fstandalone-debug>)

add_custom_target(update_transcripts COMMENT "Writing what the debuggers show")

# transcript_test(NAME PROGRAM TARGET SCRIPT FILE EXPECTED FILE [VARIABLE=VALUE ..])
#
# Runs a script in gdb on a program and compares the transcript that it writes. The variables are those of
# compare_transcript.cmake.
function(transcript_test name)
  cmake_parse_arguments(TEST "" "PROGRAM;SCRIPT;EXPECTED" "" ${ARGN})
  list(TRANSFORM TEST_UNPARSED_ARGUMENTS PREPEND "-D" OUTPUT_VARIABLE variables)
  set(compare ${CMAKE_COMMAND} -D GDB=${GDB} -D PROGRAM=$<TARGET_FILE:${TEST_PROGRAM}> -D PROJECT=${PROJECT_SOURCE_DIR}
      -D SCRIPT=${TEST_SCRIPT} -D EXPECTED=${TEST_EXPECTED} -D FOUND=${CMAKE_CURRENT_BINARY_DIR}/${name}.txt
      ${variables})
  set(script -P ${folder}/compare_transcript.cmake)
  add_test(NAME ${name} COMMAND ${compare} ${script})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_custom_target(update_${name} COMMAND ${compare} -D UPDATE=ON ${script} VERBATIM)
    add_dependencies(update_${name} ${TEST_PROGRAM})
    add_dependencies(update_transcripts update_${name})
  endif()
endfunction()

if(GDB AND NOT BACKSTEP_SANITIZE)
  # Printers and commands on a running program, and on its core file: the same transcript.
  set(core ${CMAKE_CURRENT_BINARY_DIR}/printers_program.core)
  transcript_test(gdb_printers PROGRAM printers_program SCRIPT ${folder}/show.py EXPECTED ${folder}/show.txt
                  WRITE_CORE=${core})
  transcript_test(gdb_printers_core PROGRAM printers_program SCRIPT ${folder}/show.py EXPECTED ${folder}/show.txt
                  CORE=${core})
  set_tests_properties(gdb_printers PROPERTIES FIXTURES_SETUP gdb_core)
  set_tests_properties(gdb_printers_core PROPERTIES FIXTURES_REQUIRED gdb_core)
  # Breakpoints.
  transcript_test(gdb_break_op PROGRAM printers_program SCRIPT ${folder}/break_op.py EXPECTED ${folder}/break_op.txt)
  # The printers load by themselves.
  transcript_test(gdb_auto_load PROGRAM printers_program SCRIPT ${folder}/auto_load.py EXPECTED ${folder}/auto_load.txt
                  AUTO_LOAD=ON)

  # What can be stepped through is a Debug build.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    transcript_test(gdb_break_nan PROGRAM printers_program SCRIPT ${folder}/break_nan.py
                    EXPECTED ${folder}/break_nan.txt)
    if(BACKSTEP_EXAMPLES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      transcript_test(gdb_step_to_tanh PROGRAM 01_scalar_chain SCRIPT ${folder}/step_to_tanh.py
                      EXPECTED ${folder}/step_to_tanh.txt)
      # The sessions that the documentation shows: the page itself is the transcript.
      transcript_test(gdb_docs PROGRAM 01_scalar_chain SCRIPT ${folder}/docs_session.py
                      EXPECTED ${PROJECT_SOURCE_DIR}/docs/debugging-with-gdb.md)
    endif()
  endif()
endif()

# LLDB can be installed without Python, and Debian's 14 looks for its own module where it is not; PYTHONPATH helps.
set(lldb_python_found FALSE)
if(LLDB AND NOT BACKSTEP_SANITIZE)
  file(GLOB lldb_modules /usr/lib/llvm-*/lib/python3*/dist-packages/lldb/__init__.py)
  list(TRANSFORM lldb_modules REPLACE "/lldb/__init__.py$" "")
  foreach(path "$ENV{PYTHONPATH}" ${lldb_modules})
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${path} PYTHONDONTWRITEBYTECODE=1
              ${LLDB} --no-lldbinit --batch -o "script print(lldb.__name__)"
      OUTPUT_VARIABLE answer ERROR_QUIET TIMEOUT 60)
    if(answer MATCHES "\nlldb")
      set(lldb_python_found TRUE)
      set(lldb_pythonpath ${path})
      break()
    endif()
  endforeach()
endif()
if(lldb_python_found)
  function(lldb_test name)
    set(compare ${CMAKE_COMMAND} -D LLDB=${LLDB} -D "PYTHONPATH=${lldb_pythonpath}"
        -D PROGRAM=$<TARGET_FILE:printers_program> -D PROJECT=${PROJECT_SOURCE_DIR} -D EXPECTED=${folder}/show_lldb.txt
        -D FOUND=${CMAKE_CURRENT_BINARY_DIR}/${name}.txt ${ARGN})
    set(script -P ${folder}/compare_lldb.cmake)
    add_test(NAME ${name} COMMAND ${compare} ${script})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT ARGN)
      add_custom_target(update_${name} COMMAND ${compare} -D UPDATE=ON ${script} VERBATIM)
      add_dependencies(update_${name} printers_program)
      add_dependencies(update_transcripts update_${name})
    endif()
  endfunction()
  lldb_test(lldb_printers)
  if(GDB)
    lldb_test(lldb_printers_core -D CORE=${core})
    set_tests_properties(lldb_printers_core PROPERTIES FIXTURES_REQUIRED gdb_core)
  endif()
else()
  message(STATUS "No lldb with Python: what it shows is not tested")
endif()
