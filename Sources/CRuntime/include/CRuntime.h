#ifndef PERENNIAL_CRUNTIME_H
#define PERENNIAL_CRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Retains a Swift object unless its last strong reference is already gone.
///
/// An identity map holds objects without owning them, and an object may lose its last owner on any thread. This
/// function is the one safe way to take such an object out of the map. It is declared in C because Swift reserves
/// the name for its own use.
///
/// - Returns: the object with one more strong reference, or `NULL` when it is being deallocated.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// A section of a loaded image.
struct SwiftSection {
  const void *_Nullable start;
  size_t length;
};

/// The first fields of the record that the Swift runtime keeps about an image. Later versions append fields.
struct SwiftMetadataSections {
  size_t version;
  const void *_Nullable baseAddress;
  const void *_Nullable unused[2];
  struct SwiftSection protocols;
  struct SwiftSection protocolConformances;
  /// References to the descriptors of all types that the image declares, 4 bytes each.
  struct SwiftSection typeMetadata;
};

/// Calls a function with the sections of each image that contains Swift code, until the function returns false.
///
/// The runtime offers this function so that test libraries can find tests. Here it finds classes by their names
/// alone.
extern void swift_enumerateAllMetadataSections(
    bool (*_Nonnull body)(const struct SwiftMetadataSections *_Nonnull sections, void *_Nullable context),
    void *_Nullable context);

/// The context whose work this thread does, or `NULL`. The variable is a thread-local variable of C, because a
/// task-local value would forbid the work to add tasks to a group.
void *_Nullable currentContext(void);

/// Sets the context whose work this thread does, or `NULL`, and returns the previous one.
void *_Nullable setCurrentContext(void *_Nullable context);

/// The call whose work this thread does, or `NULL`.
void *_Nullable currentCall(void);

/// Sets the call whose work this thread does, or `NULL`, and returns the previous one.
void *_Nullable setCurrentCall(void *_Nullable call);

/// True on a thread that only does the work of contexts' queues.
bool worksForContexts(void);

/// Marks this thread as one that does the work of contexts' queues, or removes the mark.
void setWorksForContexts(bool works);

/// True while a thread of contexts' queues is about to look for more work.
bool looksForWorkSoon(void);

/// Sets whether this thread is about to look for more work.
void setLooksForWorkSoon(bool looks);

/// The number of nested releases of objects that this thread is performing.
size_t releaseDepth(void);

/// Sets the number of nested releases of objects that this thread is performing.
void setReleaseDepth(size_t depth);

/// The objects whose release this thread has deferred, or `NULL`.
void *_Nullable waitingRelease(void);

/// Sets the objects whose release this thread has deferred.
void setWaitingRelease(void *_Nullable waiting);

/// A number that no other running thread has; never 0.
uintptr_t currentThread(void);

/// Asks malloc to return its unused memory to the kernel. The function does nothing where malloc is not glibc's.
void giveBackFreeMemory(void);

/// The class of the stores in PostgreSQL; `NULL` in a program without the target CoreDataPostgreSQL.
const void *_Nullable linkedPostgreSQLStoreClass(void);

#endif
