# The tests in WebAssembly, under node (docs/playground/toolchain): all but what is named here.
set(left_out
  debug/adapter_test              # talks to other programs through sockets
  debug/debugger_transcript_test  # runs other programs on a terminal
  docs/                           # runs the programs of the book
  nn/atomic_file_test             # sets a limit for the size of files
  nn/checkpoint_test
  nn/safetensors_test
  tape/threads_test               # threads, and fork()
  tensor/end_of_program_test      # ends a process of its own
  tensor/storage_test)            # fork(), a limit for memory, and blocks of more than 2 GiB
set(left_out_tests)

# Else main() would not be looked for in a library.
target_link_options(backstep_test_main INTERFACE LINKER:--undefined=__main_argc_argv)

list(JOIN left_out "|" pattern)
foreach(tests engine_tests op_tests fast_tests nn_tests)
  list(FILTER ${tests} EXCLUDE REGEX "/(${pattern})")
  backstep_test_program(${tests} FILES ${${tests}} LIBRARIES backstep_op_cases)
  add_test(NAME ${tests} COMMAND ${tests})
  set_tests_properties(${tests} PROPERTIES TIMEOUT 600)
endforeach()
