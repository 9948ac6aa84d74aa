# Runs a script in gdb or LLDB on a program and compares the transcript that it writes with the expected one.
#
#   cmake -D GDB=.. -D PROGRAM=.. -D PROJECT=.. -D SCRIPT=.. -D EXPECTED=.. -D FOUND=.. [-D UPDATE=ON]
#         [-D AUTO_LOAD=ON] [-D WRITE_CORE=file] [-D CORE=file] -P compare_transcript.cmake
#   cmake -D LLDB=.. -D PYTHONPATH=.. -D PROGRAM=.. -D PROJECT=.. -D SCRIPT=.. -D EXPECTED=.. -D FOUND=.. [-D UPDATE=ON]
#         [-D CORE=file] -P compare_transcript.cmake
#
# AUTO_LOAD leaves it to gdb to find backstep_gdb.py. WRITE_CORE and CORE are for gdb's script, as $write_core and $core.
file(REMOVE ${FOUND})
if(GDB)
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
  set(command ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_CURRENT_LIST_DIR} PYTHONDONTWRITEBYTECODE=1
      ${GDB} -nx -q -batch -iex "set debuginfod enabled off" ${variables} ${load} -x ${SCRIPT} ${PROGRAM})
else()
  set(core "")
  if(CORE)
    set(core --core ${CORE})
  endif()
  set(command ${CMAKE_COMMAND} -E env PYTHONPATH=${PYTHONPATH} PYTHONDONTWRITEBYTECODE=1 FOUND=${FOUND}
      ${LLDB} --no-lldbinit --batch -o "settings set target.disable-aslr false"  # containers forbid what it takes
      -o "command script import '${PROJECT}/autograd/debug/backstep_lldb.py'" -o "command script import '${SCRIPT}'"
      ${core} ${PROGRAM})
endif()

execute_process(COMMAND ${command} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result TIMEOUT 250)
if(NOT result EQUAL 0 OR NOT EXISTS ${FOUND})
  message(FATAL_ERROR "the debugger ended with ${result}:\n${output}\n${errors}")
endif()
if(UPDATE)
  configure_file(${FOUND} ${EXPECTED} COPYONLY)
  return()
endif()
execute_process(COMMAND diff -u ${EXPECTED} ${FOUND} OUTPUT_VARIABLE difference RESULT_VARIABLE different)
if(different)
  message(FATAL_ERROR "${EXPECTED} is not what the debugger shows now. If that is meant:\n"
                      "  cmake --build build/debug --target update_transcripts\n${difference}")
endif()
