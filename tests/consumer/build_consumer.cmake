# Builds the project beside this file in one of the ways in which others use Backstep, and runs it; what that has
# installed is linked by hand and by pkg-config too, and looked at in gdb.
#
#   cmake -D HOW=installed|subdirectory|fetched -D BACKSTEP_BUILD=.. -D BACKSTEP_SOURCE=.. -D FOLDER=..
#         [-D CXX=c++ -D LIBRARIES=..] [-D PKG_CONFIG=pkg-config] [-D GDB=gdb] -P build_consumer.cmake
function(run_with_code code)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL code)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nended with ${result} instead of ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
macro(run)
  run_with_code(0 ${ARGN})
endmacro()
function(expect pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, found\n${output}")
  endif()
endfunction()

# ---- with CMake -----------------------------------------------------------------------------------------------------

# What a way has besides: the engine is compiled again where it is not installed, once static and once shared.
set(prefix ${FOLDER}/prefix)
set(repository ${FOLDER}/repository)
set(with_installed -DCMAKE_PREFIX_PATH=${prefix})
set(with_subdirectory -DBACKSTEP_FOLDER=${BACKSTEP_SOURCE})
set(with_fetched -DBACKSTEP_REPOSITORY=file://${repository} -DBACKSTEP_INSTALL=ON -DBUILD_SHARED_LIBS=ON)

file(REMOVE_RECURSE ${FOLDER})
if(HOW STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BACKSTEP_BUILD} --prefix ${prefix})
elseif(HOW STREQUAL "fetched")  # as it is here, with what is not committed yet
  file(COPY ${BACKSTEP_SOURCE}/CMakeLists.txt ${BACKSTEP_SOURCE}/LICENSE ${BACKSTEP_SOURCE}/autograd ${BACKSTEP_SOURCE}/nn
       DESTINATION ${repository})
  set(git git -C ${repository} -c user.name=consumer -c user.email=consumer@localhost)
  run(${git} init --quiet --initial-branch main)
  run(${git} add .)
  run(${git} commit --quiet --message all)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${FOLDER}/build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON
    ${with_${HOW}})
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/consumer)
expect("^\\[2, 6\\] \\[2, 3\\]\n$")
if(HOW STREQUAL "subdirectory")
  return()
elseif(HOW STREQUAL "fetched")
  run(${CMAKE_COMMAND} --install ${FOLDER}/build --prefix ${prefix})
endif()
run(${CMAKE_COMMAND} -E tar tf ${prefix}/share/backstep/backstep.vsix)
expect("Content_Types.*extension.vsixmanifest.*extension/extension.js.*extension/package.json")

# ---- without CMake: a program obeys BACKSTEP all the same -----------------------------------------------------------

function(obeys_the_switch program code value)
  run_with_code(${code} ${CMAKE_COMMAND} -E env BACKSTEP=${value} ${FOLDER}/${program})
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(try_switches)
  obeys_the_switch(main 0 "")
  obeys_the_switch(main 2 unknown)
  obeys_the_switch(main 0 check)
  expect("[1-9][0-9]* of [1-9][0-9]* derivatives")
  file(WRITE ${FOLDER}/commands "continue\n")
  obeys_the_switch(main 0 step:${FOLDER}/commands)
  expect("#1 of [1-9]")
  obeys_the_switch(main 0 trace:${FOLDER}/trace.json)
  file(READ ${FOLDER}/trace.json output)
  file(REMOVE ${FOLDER}/trace.json)
  expect("\"ops\"")
  obeys_the_switch(forward 2 unknown)
  obeys_the_switch(forward 1 nan)
endfunction()

if(CXX)
  file(GLOB_RECURSE engine ${prefix}/*/libbackstep_autograd.*)
  list(GET engine 0 engine)
  get_filename_component(libraries ${engine} DIRECTORY)
  set(rpath -Wl,-rpath,${libraries})
  set(by_hand -I${prefix}/include -L${libraries} -lbackstep_nn -lbackstep_autograd ${LIBRARIES} -lfmt -lutf8proc -pthread)
  set(ways by_hand)
  if(PKG_CONFIG)
    run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${libraries}/pkgconfig ${PKG_CONFIG} --cflags --libs backstep-nn)
    separate_arguments(by_pkg_config UNIX_COMMAND "${output}")
    list(APPEND ways by_pkg_config)
  endif()
  foreach(way ${ways})
    foreach(program main forward)
      run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/${program}.cpp -o ${FOLDER}/${program} ${${way}} ${rpath})
    endforeach()
    try_switches()
  endforeach()
endif()

# The program has no op of its own, and the engine may have no debug information: gdb shows its tensors all the same.
if(GDB AND HOW STREQUAL "installed")
  run(${GDB} -nx -batch -x ${prefix}/share/backstep/backstep_gdb.py -ex "break consumer_is_done" -ex run -ex up
      -ex "print loss" -ex "tape loss" ${FOLDER}/build/consumer)
  expect("\\$1 = Tensor float32 \\[\\]: [0-9.]+, from %[0-9]+ sum")
  expect("%[0-9]+ +pow")
endif()
