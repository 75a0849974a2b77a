#ifndef BENCHMARKS_CMEMORY_H
#define BENCHMARKS_CMEMORY_H

#include <stddef.h>

/// The bytes that malloc has allocated and that were not freed; 0 if they are not known.
size_t CMemoryAllocated(void);

/// Returns all unused pages of malloc to the kernel.
void CMemoryTrim(void);

#endif
