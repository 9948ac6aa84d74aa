# Runs a program with the environment variable BACKSTEP and compares what the instrument said with a file.
#
#   cmake -D PROGRAM=.. -D BACKSTEP=.. [-D COMMANDS=..] [-D EXIT=..] -D STREAM=stdout|stderr|both -D EXPECTED=.. [-D UPDATE=ON]
#         -P compare_session.cmake
#
# COMMANDS is a file for its standard input. Times are left out. With UPDATE the file is written instead of compared.
cmake_minimum_required(VERSION 3.20)

set(input)
if(COMMANDS)
  set(input INPUT_FILE ${COMMANDS})
endif()
# In the top folder of the project, where the debugger finds the sources.
execute_process(COMMAND ${CMAKE_COMMAND} -E env BACKSTEP=${BACKSTEP} ${PROGRAM} ${input}
                WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../../../..
                OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr RESULT_VARIABLE result)
if(NOT EXIT)
  set(EXIT 0)
endif()
if(NOT result EQUAL EXIT)
  message(FATAL_ERROR "the program ended with ${result}, not with ${EXIT}:\n${stdout}\n${stderr}")
endif()
set(both "${stdout}${stderr}")
string(REGEX REPLACE "[0-9]+\\.[0-9]+ s" "0.0 s" found "${${STREAM}}")
if(UPDATE)
  file(WRITE ${EXPECTED} "${found}")
  return()
endif()
# Numbers that are rounding errors differ from one processor to the next.
function(without_rounding_errors variable)
  string(REGEX REPLACE "[0-9](\\.[0-9]+)?e-(0[7-9]|[1-9][0-9]+)" "tiny" text "${${variable}}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
file(READ ${EXPECTED} expected)
set(found_numbers "${found}")
without_rounding_errors(expected)
without_rounding_errors(found_numbers)
if(NOT found_numbers STREQUAL expected)
  message(FATAL_ERROR "the session differs from ${EXPECTED}. If that is meant:\n"
                      "  cmake --build build/release --target update_transcripts\nIt is now:\n${found}")
endif()
