#ifndef PERENNIAL_CRUNTIME_H
#define PERENNIAL_CRUNTIME_H

/// Retains a Swift object unless its last strong reference is already gone.
///
/// An identity map holds objects without owning them, and an object may lose its last owner on any thread: this is
/// the one safe way to take such an object out of the map. Declared here since Swift reserves the name for itself.
///
/// - Returns: the object, one reference richer, or `NULL` when it is being deallocated.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
