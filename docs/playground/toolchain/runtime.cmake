# What every program in WebAssembly begins with, and throws exceptions with.
set(runtime ending.cpp exceptions.cpp libc.cpp library_errors.cpp main_with_words.cpp start.cpp start_without_main.cpp)
list(TRANSFORM runtime PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(wasm_runtime STATIC ${runtime})
set_target_properties(wasm_runtime PROPERTIES UNITY_BUILD OFF)  # a program has one of its two beginnings
target_compile_features(wasm_runtime PRIVATE cxx_std_20)
target_compile_options(wasm_runtime PRIVATE -O2 -Wall -Wextra)
link_libraries(wasm_runtime)
