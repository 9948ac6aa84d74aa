# Builds the project beside this file and runs it.
#
#   cmake -D HOW=installed|subdirectory -D BACKSTEP_BUILD=.. -D BACKSTEP_SOURCE=.. -D FOLDER=.. -P build_consumer.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${FOLDER}/build -G Ninja)
if(HOW STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BACKSTEP_BUILD} --prefix ${FOLDER}/prefix)
  run(${configure} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${FOLDER}/prefix)
else()
  run(${configure} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DBACKSTEP_FOLDER=${BACKSTEP_SOURCE})
endif()
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/consumer)
if(NOT output STREQUAL "[2, 6] [2, 3]\n")
  message(FATAL_ERROR "the consumer printed\n${output}")
endif()
