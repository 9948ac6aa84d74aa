add_library(wasm_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/../fmt.cpp)
add_library(fmt::fmt ALIAS wasm_fmt)
target_compile_features(wasm_fmt PUBLIC cxx_std_20)
set(fmt_FOUND TRUE)
