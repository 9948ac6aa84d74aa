# Builds the project beside this file and runs it; of an installed Backstep also without CMake, and under gdb.
#
#   cmake -D HOW=installed|subdirectory -D BACKSTEP_BUILD=.. -D BACKSTEP_SOURCE=.. -D FOLDER=.. [-D CXX=c++ -D LIBRARIES=..]
#         [-D GDB=gdb] -P build_consumer.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${FOLDER}/build -G Ninja -DCMAKE_BUILD_TYPE=Debug)
if(HOW STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BACKSTEP_BUILD} --prefix ${FOLDER}/prefix)
  run(${configure} -DCMAKE_PREFIX_PATH=${FOLDER}/prefix)
else()
  run(${configure} -DCMAKE_UNITY_BUILD=ON -DBACKSTEP_FOLDER=${BACKSTEP_SOURCE})
endif()
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/consumer)
if(NOT output STREQUAL "[2, 6] [2, 3]\n")
  message(FATAL_ERROR "the consumer printed\n${output}")
endif()

if(HOW STREQUAL "installed")
  run(${CMAKE_COMMAND} -E tar tf ${FOLDER}/prefix/share/backstep/backstep.vsix)
  foreach(file "[Content_Types].xml" extension.vsixmanifest extension/package.json extension/extension.js)
    string(FIND "${output}" "${file}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "backstep.vsix has no ${file}:\n${output}")
    endif()
  endforeach()
endif()

# Linked by hand, a program obeys BACKSTEP all the same.
function(expect program switch code)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env BACKSTEP=${switch} ${FOLDER}/${program} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL code)
    message(FATAL_ERROR "linked by hand, ${program} with BACKSTEP=${switch} ended with ${result} instead of ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
if(CXX)
  file(GLOB_RECURSE engine ${FOLDER}/prefix/libbackstep_autograd.a)
  file(GLOB_RECURSE nn ${FOLDER}/prefix/libbackstep_nn.a)
  foreach(program main forward)
    run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/${program}.cpp -o ${FOLDER}/${program} -I${FOLDER}/prefix/include ${nn} ${engine}
        ${LIBRARIES} -lfmt -lutf8proc -pthread)
    expect(${program} "" 0)
    expect(${program} unknown 2)
  endforeach()
  expect(main check 0)
  if(NOT output MATCHES "[1-9][0-9]* of [1-9][0-9]* derivatives")
    message(FATAL_ERROR "nothing was checked:\n${output}")
  endif()
  expect(forward nan 1)
endif()

# The program has no op of its own, and the engine no debug information: gdb shows its tensors all the same.
if(GDB)
  run(${GDB} -nx -batch -x ${FOLDER}/prefix/share/backstep/backstep_gdb.py -ex "break consumer_is_done" -ex run -ex up
      -ex "print loss" -ex "tape loss" ${FOLDER}/build/consumer)
  if(NOT output MATCHES "\\$1 = Tensor float32 \\[\\]: [0-9.]+, from %[0-9]+ sum" OR NOT output MATCHES "%[0-9]+ +pow")
    message(FATAL_ERROR "gdb shows\n${output}")
  endif()
endif()
