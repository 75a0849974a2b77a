#include "CRuntime.h"

#ifdef __linux__
#include <malloc.h>
#endif

void giveBackFreeMemory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
