# Runs a gdb script on a program and compares the transcript that it writes with the expected one.
#
#   cmake -D GDB=.. -D PROGRAM=.. -D PROJECT=.. -D SCRIPT=.. -D EXPECTED=.. -D FOUND=.. [-D UPDATE=ON]
#         [-D AUTO_LOAD=ON] [-D WRITE_CORE=file] [-D CORE=file] -P compare_transcript.cmake
#
# AUTO_LOAD leaves it to gdb to find backstep_gdb.py. WRITE_CORE and CORE are for the script, as $write_core and $core.
if(UPDATE)
  set(FOUND ${EXPECTED}.new)
endif()
file(REMOVE ${FOUND})

if(AUTO_LOAD)
  set(load -iex "add-auto-load-safe-path ${PROJECT}/autograd/debug")
else()
  set(load -iex "set auto-load python-scripts off" -x ${PROJECT}/autograd/debug/backstep_gdb.py)
endif()
set(variables "")
foreach(name GDB PROGRAM PROJECT EXPECTED WRITE_CORE CORE FOUND)
  string(TOLOWER ${name} variable)
  list(APPEND variables -iex "set \$${variable} = \"${${name}}\"")
endforeach()

execute_process(
  COMMAND ${GDB} -nx -q -batch -iex "set debuginfod enabled off" ${variables} ${load} -x ${SCRIPT} ${PROGRAM}
  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT EXISTS ${FOUND})
  message(FATAL_ERROR "gdb ended with ${result}:\n${output}\n${errors}")
endif()
if(UPDATE)
  file(RENAME ${FOUND} ${EXPECTED})
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOUND} ${EXPECTED} RESULT_VARIABLE different)
if(different)
  execute_process(COMMAND diff -u ${EXPECTED} ${FOUND} OUTPUT_VARIABLE difference)
  message(FATAL_ERROR "${EXPECTED} is not what gdb shows now. If that is meant:\n"
                      "  cmake --build build/debug --target update_transcripts\n${difference}")
endif()
