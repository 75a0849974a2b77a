#ifndef PERENNIAL_CRUNTIME_H
#define PERENNIAL_CRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Retains a Swift object unless its last strong reference is already gone.
///
/// An identity map holds objects without owning them, and an object may lose its last owner on any thread: this is
/// the one safe way to take such an object out of the map. Declared here since Swift reserves the name for itself.
///
/// - Returns: the object, one reference richer, or `NULL` when it is being deallocated.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// A section of a loaded image.
struct SwiftSection {
  const void *_Nullable start;
  size_t length;
};

/// The beginning of what the runtime keeps about an image; later versions have more at the end.
struct SwiftMetadataSections {
  size_t version;
  const void *_Nullable baseAddress;
  const void *_Nullable unused[2];
  struct SwiftSection protocols;
  struct SwiftSection protocolConformances;
  /// References to the descriptors of all types that the image declares, 4 bytes each.
  struct SwiftSection typeMetadata;
};

/// Calls a function with the sections of every image that has Swift code in it, until it returns false.
///
/// It is how the runtime lets test libraries find tests, and how classes are found here by their names alone.
extern void swift_enumerateAllMetadataSections(
    bool (*_Nonnull body)(const struct SwiftMetadataSections *_Nonnull sections, void *_Nullable context),
    void *_Nullable context);

/// The context whose work this thread does; `NULL` for none. A variable of a thread is C's: one of a task would forbid
/// the work to add tasks to a group.
void *_Nullable currentContext(void);

/// Makes a context, or none, the one whose work this thread does, and answers which one was it before.
void *_Nullable setCurrentContext(void *_Nullable context);

/// The call whose work this thread does; `NULL` for none.
void *_Nullable currentCall(void);

/// Makes a call, or none, the one whose work this thread does, and answers which one it was before.
void *_Nullable setCurrentCall(void *_Nullable call);

/// True on a thread that does the work of contexts' queues and nothing else.
bool worksForContexts(void);

/// Makes this thread one that does the work of contexts' queues.
void setWorksForContexts(bool works);

/// True on such a thread while it is about to look for more work.
bool looksForWorkSoon(void);

/// Says whether this thread is about to look for more work.
void setLooksForWorkSoon(bool looks);

/// The number of objects whose release this thread is at, one inside of the other.
size_t releaseDepth(void);

/// Sets the number of objects whose release this thread is at.
void setReleaseDepth(size_t depth);

/// What waits on this thread to be released; `NULL` for nothing.
void *_Nullable waitingRelease(void);

/// Sets what waits on this thread to be released.
void setWaitingRelease(void *_Nullable waiting);

/// A number that tells this thread from all others that run; never 0.
uintptr_t currentThread(void);

/// Has malloc give back to the kernel what it has no use for; does nothing where malloc cannot be told.
void giveBackFreeMemory(void);

#endif
