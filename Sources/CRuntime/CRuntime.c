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

static _Thread_local void *callAtWork;

void *currentCall(void) { return callAtWork; }

void *setCurrentCall(void *call) {
  void *outer = callAtWork;
  callAtWork = call;
  return outer;
}

static _Thread_local bool isWorkingForContexts;
static _Thread_local bool isLookingForWorkSoon;

bool worksForContexts(void) { return isWorkingForContexts; }

void setWorksForContexts(bool works) { isWorkingForContexts = works; }

bool looksForWorkSoon(void) { return isLookingForWorkSoon; }

void setLooksForWorkSoon(bool looks) { isLookingForWorkSoon = looks; }

static _Thread_local size_t depthOfRelease;
static _Thread_local void *waitingForRelease;

size_t releaseDepth(void) { return depthOfRelease; }

void setReleaseDepth(size_t depth) { depthOfRelease = depth; }

void *waitingRelease(void) { return waitingForRelease; }

void setWaitingRelease(void *waiting) { waitingForRelease = waiting; }

uintptr_t currentThread(void) { return (uintptr_t)&contextAtWork; }

void giveBackFreeMemory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Defined by the target CoreDataPostgreSQL. Without it, the linker of ELF leaves a weak declaration NULL; other linkers
// take a weak definition.
__attribute__((weak)) const void *perennialPostgreSQLStoreClass(void)
#ifdef __ELF__
    ;
#else
{
  return NULL;
}
#endif

const void *linkedPostgreSQLStoreClass(void) {
#ifdef __ELF__
  if (perennialPostgreSQLStoreClass == NULL) return NULL;
#endif
  return perennialPostgreSQLStoreClass();
}
