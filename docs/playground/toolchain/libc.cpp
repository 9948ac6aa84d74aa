// What the sysroot's C and C++ libraries declare and do not have.

extern "C" {

// The destructors of thread_local variables: there is one thread, which ends with the program.
int __cxa_atexit(void (*destroy)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  return __cxa_atexit(destroy, object, library);
}

// There is no fork() to prepare for.
int pthread_atfork(void (*)(), void (*)(), void (*)()) {
  return 0;
}

// Memory that was asked for once is never given back.
int madvise(void*, unsigned long, int) {
  return 0;
}

}  // extern "C"
