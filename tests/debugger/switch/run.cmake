# Runs a program with the environment variable BACKSTEP, and without it.
#
#   cmake -D PROGRAM=.. [-D ARGUMENTS=..] -D SWITCH=check -D FOLDER=.. [-D CODE=1] [-D SAYS=REGEX] [-D DENIES=REGEX]
#         [-D PRINTS=REGEX] [-D WRITES=COUNT] -P run.cmake
#
# FOLDER is emptied and the program runs there. It must end with CODE (0 unless given), and its standard error must match
# SAYS, and not DENIES. What it prints must match PRINTS, or, where that is not given, be what it prints without the switch.
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

if(NOT DEFINED CODE)
  set(CODE 0)
endif()
if(NOT PRINTS)
  run("")
  set(expected "${output}")
endif()
run("${SWITCH}")
if(WRITES)
  file(GLOB written ${FOLDER}/*)
  list(LENGTH written count)
  if(NOT count EQUAL WRITES)
    message(FATAL_ERROR "BACKSTEP=${SWITCH} wrote ${count} files instead of ${WRITES}: ${written}")
  endif()
endif()
if(NOT result STREQUAL CODE)
  message(FATAL_ERROR "BACKSTEP=${SWITCH} ended with ${result} instead of ${CODE}:\n${output}${errors}")
endif()
if(SAYS AND NOT errors MATCHES "${SAYS}")
  message(FATAL_ERROR "no \"${SAYS}\" in:\n${errors}")
endif()
if(DENIES AND errors MATCHES "${DENIES}")
  message(FATAL_ERROR "\"${DENIES}\" is in:\n${errors}")
endif()
if(PRINTS AND NOT output MATCHES "${PRINTS}")
  message(FATAL_ERROR "no \"${PRINTS}\" in:\n${output}")
endif()
if(NOT PRINTS AND NOT output STREQUAL expected)
  message(FATAL_ERROR "BACKSTEP=${SWITCH} changes what is printed from:\n${expected}\nto:\n${output}")
endif()
