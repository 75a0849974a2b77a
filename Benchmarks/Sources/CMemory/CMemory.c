#include "CMemory.h"

#ifdef __linux__
#include <malloc.h>
#endif

#ifdef __GLIBC__
size_t CMemoryAllocated(void) {
  struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

void CMemoryTrim(void) { malloc_trim(0); }
#else
size_t CMemoryAllocated(void) { return 0; }

void CMemoryTrim(void) {}
#endif
