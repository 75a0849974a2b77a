#include "CRuntime.h"

#ifdef __linux__
#include <malloc.h>
#endif

static _Thread_local void *contextAtWork;

void *currentContext(void) { return contextAtWork; }

void *setCurrentContext(void *context) {
  void *outer = contextAtWork;
  contextAtWork = context;
  return outer;
}

void giveBackFreeMemory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
