# Runs a gdb script on a program and compares the transcript that it writes with the expected one.
#
#   cmake -D GDB=.. -D PROGRAM=.. -D SOURCE=.. -D SETTINGS=.. -D SCRIPT=.. -D EXPECTED=.. -D FOUND=..
#         [-D UPDATE=ON] -P compare_transcript.cmake
if(UPDATE)
  set(FOUND ${EXPECTED})
endif()
file(REMOVE ${FOUND})
execute_process(
  COMMAND ${GDB} -nx -q -batch -iex "set debuginfod enabled off" -iex "set \$source = \"${SOURCE}\""
          -iex "set \$transcript = \"${FOUND}\"" -x ${SETTINGS} -x ${SCRIPT} ${PROGRAM}
  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT EXISTS ${FOUND})
  message(FATAL_ERROR "gdb ended with ${result}:\n${output}\n${errors}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOUND} ${EXPECTED} RESULT_VARIABLE different)
if(different)
  file(READ ${FOUND} found)
  message(FATAL_ERROR "the transcript differs from ${EXPECTED}; it is now:\n${found}")
endif()
