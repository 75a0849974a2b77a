#ifndef BENCHMARKS_CMEMORY_H
#define BENCHMARKS_CMEMORY_H

#include <stddef.h>

/// The bytes that malloc has given out and not got back; 0 where that cannot be told.
size_t CMemoryAllocated(void);

/// Gives the kernel back all pages that malloc has no use for.
void CMemoryTrim(void);

#endif
