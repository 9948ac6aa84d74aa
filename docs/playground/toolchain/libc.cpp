// What the sysroot's C library declares and does not have. Both have nothing to do here.

extern "C" {

// There is no fork() to prepare for.
int pthread_atfork(void (*)(), void (*)(), void (*)()) {
  return 0;
}

// Memory that was asked for once is never given back.
int madvise(void*, unsigned long, int) {
  return 0;
}

}  // extern "C"
