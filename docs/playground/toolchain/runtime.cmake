# What every program in WebAssembly begins with, and throws exceptions with.
add_library(wasm_runtime STATIC ${CMAKE_CURRENT_LIST_DIR}/start.cpp ${CMAKE_CURRENT_LIST_DIR}/libc.cpp
                                 ${CMAKE_CURRENT_LIST_DIR}/exceptions.cpp ${CMAKE_CURRENT_LIST_DIR}/library_errors.cpp)
target_compile_features(wasm_runtime PRIVATE cxx_std_20)
target_compile_options(wasm_runtime PRIVATE -O2 -Wall -Wextra)
link_libraries(wasm_runtime)
