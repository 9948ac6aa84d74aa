# GoogleTest, compiled from its sources (Debian: googletest): without threads, and without files and processes of its own.
set(source /usr/src/googletest)
add_library(wasm_gtest STATIC EXCLUDE_FROM_ALL ${source}/googletest/src/gtest-all.cc)
add_library(wasm_gmock STATIC EXCLUDE_FROM_ALL ${source}/googlemock/src/gmock-all.cc)
target_include_directories(wasm_gtest SYSTEM PUBLIC ${source}/googletest/include ${source}/googlemock/include
                                             PRIVATE ${source}/googletest ${source}/googlemock)
target_include_directories(wasm_gmock SYSTEM PRIVATE ${source}/googlemock)
target_compile_features(wasm_gtest PUBLIC cxx_std_20)
target_compile_definitions(wasm_gtest PUBLIC GTEST_HAS_PTHREAD=0 GTEST_HAS_STREAM_REDIRECTION=0)
target_link_libraries(wasm_gmock PUBLIC wasm_gtest)
add_library(GTest::gtest ALIAS wasm_gtest)
add_library(GTest::gmock ALIAS wasm_gmock)
set(GTest_FOUND TRUE)
