# What VS Code is told in .vscode/launch.json: whatever it asks for has a default that it takes as it stands, and files of
# this project that are named are there.
#
#   cmake -D PROJECT=folder -P launch_configurations.cmake
cmake_minimum_required(VERSION 3.20)
file(READ ${PROJECT}/.vscode/launch.json text)
string(JSON inputs GET "${text}" inputs)
string(JSON configurations GET "${text}" configurations)

set(known "")
string(JSON last LENGTH "${inputs}")
math(EXPR last "${last} - 1")
foreach(i RANGE ${last})
  string(JSON id GET "${inputs}" ${i} id)
  string(JSON default GET "${inputs}" ${i} default)
  list(APPEND known ${id})
  if(default MATCHES "\\$")
    message(SEND_ERROR "the default of the input ${id} is ${default}, but VS Code puts nothing in the place of a variable there")
  endif()
endforeach()

string(REGEX MATCHALL "{input:[^}]*" used "${configurations}")
foreach(id ${used})
  string(REPLACE "{input:" "" id ${id})
  if(NOT id IN_LIST known)
    message(SEND_ERROR "a configuration asks for the input ${id}, which does not exist")
  endif()
endforeach()

string(REGEX MATCHALL "{workspaceFolder}/autograd/[a-z_./]*" files "${configurations}")
foreach(file ${files})
  string(REPLACE "{workspaceFolder}" "${PROJECT}" file ${file})
  if(NOT EXISTS ${file})
    message(SEND_ERROR "a configuration names ${file}, which does not exist")
  endif()
endforeach()
