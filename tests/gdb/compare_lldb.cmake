# Runs show_lldb.py in LLDB and compares the transcript that it writes with the expected one.
#
#   cmake -D LLDB=.. -D PYTHONPATH=.. -D PROGRAM=.. -D PROJECT=.. -D EXPECTED=.. -D FOUND=.. [-D CORE=file]
#         [-D UPDATE=ON] -P compare_lldb.cmake
if(UPDATE)
  set(FOUND ${EXPECTED})
endif()
file(REMOVE ${FOUND})
set(core "")
if(CORE)
  set(core --core ${CORE})
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PYTHONPATH} PYTHONDONTWRITEBYTECODE=1 FOUND=${FOUND}
          ${LLDB} --no-lldbinit --batch -o "settings set target.disable-aslr false"  # containers forbid what it takes
          -o "command script import '${PROJECT}/autograd/debug/backstep_lldb.py'"
          -o "command script import '${PROJECT}/tests/gdb/show_lldb.py'" ${core} ${PROGRAM}
  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result TIMEOUT 250)
if(NOT result EQUAL 0 OR NOT EXISTS ${FOUND})
  message(FATAL_ERROR "lldb ended with ${result}:\n${output}\n${errors}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOUND} ${EXPECTED} RESULT_VARIABLE different)
if(different)
  execute_process(COMMAND diff -u ${EXPECTED} ${FOUND} OUTPUT_VARIABLE difference)
  message(FATAL_ERROR "${EXPECTED} is not what LLDB shows now. If that is meant:\n"
                      "  cmake --build build/debug --target update_transcripts\n${difference}")
endif()
