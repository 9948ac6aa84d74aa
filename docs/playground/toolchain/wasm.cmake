# The preset wasm: Debian's clang compiles for WebAssembly with the sysroot of the compiler that runs in the page.
set(toolchain ${CMAKE_CURRENT_LIST_DIR}/../../../build/toolchain)
get_filename_component(toolchain ${toolchain} ABSOLUTE)
if(NOT EXISTS ${toolchain}/include/CLI)
  message(FATAL_ERROR "The compiler for WebAssembly is not there yet. Run docs/playground/toolchain/install")
endif()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(BACKSTEP_WEBASSEMBLY ON)

set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR llvm-ar-22)
set(CMAKE_RANLIB llvm-ranlib-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasip1)
set(CMAKE_SYSROOT ${toolchain}/sysroot)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# The learner's file is compiled with the same options, all of which change what fits together.
set(CMAKE_CXX_FLAGS_INIT "-resource-dir=${toolchain}/resource -isystem ${toolchain}/include -fwasm-exceptions -msimd128 \
-D_WASI_EMULATED_GETPID -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,-z,stack-size=1048576 -Wl,--stack-first")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lwasi-emulated-getpid -lwasi-emulated-process-clocks -lwasi-emulated-signal")

# fmt, nlohmann/json, CLI11, GoogleTest and "threads", as the project asks for them.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/find)
set(CMAKE_PROJECT_backstep_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/runtime.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/run)
