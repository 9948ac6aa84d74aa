# Runs a program with the environment variable BACKSTEP, and without it.
#
#   cmake -D PROGRAM=.. [-D ARGUMENTS=..] -D SWITCH=check -D FOLDER=.. -D CODE=0 -D LINES=COUNT [-D PRINTS_MORE=ON]
#         -P run.cmake
#
# FOLDER is emptied and the program runs there. It must end with CODE, say so many lines on its standard error, and, unless
# PRINTS_MORE, print what it prints without the switch.
cmake_minimum_required(VERSION 3.20)

function(run value)
  file(REMOVE_RECURSE "${FOLDER}")
  file(MAKE_DIRECTORY "${FOLDER}")
  separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
  set(ENV{NO_COLOR} 1)
  set(ENV{BACKSTEP} "${value}")
  execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors ENCODING NONE)
  set(result "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

run("")
set(expected "${output}")
run("${SWITCH}")
if(NOT result STREQUAL CODE)
  message(FATAL_ERROR "BACKSTEP=${SWITCH} ended with ${result} instead of ${CODE}:\n${output}${errors}")
endif()
string(REGEX MATCHALL "\n" line_ends "${errors}")
list(LENGTH line_ends lines)
if(NOT lines EQUAL LINES)
  message(FATAL_ERROR "BACKSTEP=${SWITCH} says ${lines} lines instead of ${LINES}:\n${errors}")
endif()
if(NOT PRINTS_MORE AND NOT output STREQUAL expected)
  message(FATAL_ERROR "BACKSTEP=${SWITCH} changes what is printed from:\n${expected}\nto:\n${output}")
endif()
