# Runs a program and compares what it prints with a file.
#
#   cmake -D PROGRAM=.. [-D ARGUMENTS=..] -D EXPECTED=.. -D FOLDER=.. [-D UNTIL=..] [-D FILES=..] [-D UPDATE=ON]
#         -P compare_output.cmake
#
# FOLDER is emptied and the program runs there. From the first line on that starts with UNTIL nothing is compared.
# FILES must be there afterwards. With UPDATE the file is written instead of compared.
#
# Numbers that are rounding errors differ from one processor and compiler to the next. A program prints them in the
# form 3.1e-09, and everything below 1e-6 in that form counts as equal, 0.0e+00 too. What is printed to stderr is not
# compared.
cmake_minimum_required(VERSION 3.20)

function(without_rounding_errors variable)
  string(REGEX REPLACE "[0-9](\\.[0-9]+)?e-(0[7-9]|[1-9][0-9]+)" "tiny" text "${${variable}}")
  string(REPLACE "0.0e+00" "tiny" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(cut_off variable start)
  string(FIND "${${variable}}" "\n${start}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "no line starts with \"${start}\" in:\n${${variable}}")
  endif()
  string(SUBSTRING "${${variable}}" 0 ${position} text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# The first line that differs, of two lists of lines.
function(first_difference number_variable expected_variable found_variable expected found)
  string(REPLACE ";" "," expected "${expected}")
  string(REPLACE ";" "," found "${found}")
  string(REGEX REPLACE "[][]" "|" expected "${expected}")
  string(REGEX REPLACE "[][]" "|" found "${found}")
  string(REPLACE "\n" ";" expected "${expected}")
  string(REPLACE "\n" ";" found "${found}")
  list(APPEND expected "(end)")
  list(APPEND found "(end)")
  set(number 0)
  foreach(expected_line found_line IN ZIP_LISTS expected found)
    math(EXPR number "${number} + 1")
    if(NOT expected_line STREQUAL found_line)
      break()
    endif()
  endforeach()
  set(${number_variable} "${number}" PARENT_SCOPE)
  set(${expected_variable} "${expected_line}" PARENT_SCOPE)
  set(${found_variable} "${found_line}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{NO_COLOR} 1)
separate_arguments(ARGUMENTS UNIX_COMMAND "${ARGUMENTS}")
separate_arguments(FILES UNIX_COMMAND "${FILES}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result
                OUTPUT_VARIABLE found ERROR_VARIABLE errors ENCODING NONE)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}:\n${found}${errors}")
endif()
foreach(file ${FILES})
  if(NOT EXISTS "${FOLDER}/${file}")
    message(FATAL_ERROR "${PROGRAM} did not write ${file}")
  endif()
endforeach()
if(UPDATE)
  file(WRITE "${EXPECTED}" "${found}")
  return()
endif()

file(READ "${EXPECTED}" expected)
if(UNTIL)
  cut_off(expected "${UNTIL}")
  cut_off(found "${UNTIL}")
endif()
without_rounding_errors(expected)
without_rounding_errors(found)
if(NOT expected STREQUAL found)
  first_difference(number expected_line found_line "${expected}" "${found}")
  message(FATAL_ERROR "line ${number} differs from ${EXPECTED}\n  expected: ${expected_line}\n  found:    ${found_line}\n")
endif()
