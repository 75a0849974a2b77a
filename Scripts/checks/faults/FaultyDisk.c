// A disk that fails, and a disk that records its changes. The library is loaded into a process before all other
// libraries (LD_PRELOAD). It intercepts the system calls that change files below one folder.
// Scripts/checks/inject-faults and Scripts/checks/lose-power use it.
//
//   FAULT_ROOT    the folder; calls on other files are passed through
//   FAULT_AT      the number of the call that fails, counted from 1; 0 only reports the calls
//   FAULT_WITH    how it fails:
//                   io       the call fails with EIO
//                   broken   this call and every later call fail with EIO
//                   full     this call and every later call that needs space fail with ENOSPC
//                   short    a write writes the first half of its bytes, and returns their number
//                   torn     a write writes the first half of its bytes, and the disk is full from then on
//                   killed   the process is killed instead
//   FAULT_REPORT  a file outside of the folder; it gets a line for each call that fails or is counted
//   FAULT_LOG     a file outside of the folder; it gets every change, see struct record
//
// The library makes system calls directly, so that it does not count calls that the C library makes internally.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The fortified variants have their own declarations, which would conflict with these definitions.
#undef open
#undef openat

// MARK: - What is asked for

static char root[PATH_MAX];
static size_t root_length;
static long fault_number;
static enum { NO_FAULT, IO, BROKEN, FULL, SHORT_WRITE, TORN, KILLED } fault;
static int report = -1;
static int change_log = -1;
static atomic_long calls;
static pthread_mutex_t changing = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int append_to(const char *variable) {
  const char *path = getenv(variable);
  if (!path) return -1;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) abort();
  // A high number does not disturb programs that expect the lowest free descriptor, or close unknown ones.
  int high = (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, 900);
  if (high < 0) return descriptor;
  syscall(SYS_close, descriptor);
  return high;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("FAULT_ROOT");
  if (!folder) return;
  snprintf(root, sizeof root, "%s", folder);
  const char *number = getenv("FAULT_AT"), *with = getenv("FAULT_WITH");
  fault_number = number ? atol(number) : 0;
  static const char *const names[] = {"", "io", "broken", "full", "short", "torn", "killed"};
  for (int index = 1; with && index < 7; index++) {
    if (strcmp(with, names[index]) == 0) fault = index;
  }
  report = append_to("FAULT_REPORT");
  change_log = append_to("FAULT_LOG");
  root_length = strlen(root);
}

// MARK: - Paths

static bool is_inside(const char *path) {
  return root_length > 0 && strncmp(path, root, root_length) == 0
    && (path[root_length] == '/' || path[root_length] == 0);
}

// SQLite rebuilds its shared memory after a crash. Its contents need not be on the disk.
static bool is_shared_memory(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

static bool path_of_descriptor(int descriptor, char *path) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return is_inside(path);
}

// - Returns: true if the path, made absolute, is below the folder.
static bool full_path(int folder, const char *path, char *full) {
  if (root_length == 0 || !path) return false;
  if (path[0] == '/') {
    snprintf(full, PATH_MAX, "%s", path);
  } else {
    char parent[PATH_MAX];
    if (folder == AT_FDCWD) {
      if (syscall(SYS_getcwd, parent, sizeof parent) < 0) return false;
    } else if (!path_of_descriptor(folder, parent)) {
      return false;
    }
    if (snprintf(full, PATH_MAX, "%s/%s", parent, path) >= PATH_MAX) return false;
  }
  return is_inside(full);
}

// MARK: - Failing

enum need { NO_ROOM, ROOM, WRITING };

// - Returns: the error with which the call fails; 0 if it succeeds, -1 if it writes half of its bytes.
static int failure(const char *name, const char *path, enum need need) {
  if (fault == NO_FAULT) return 0;
  if (fault == FULL && need == NO_ROOM) return 0;
  if ((fault == SHORT_WRITE || fault == TORN) && need == NO_ROOM) return 0;
  if (fault == SHORT_WRITE && need != WRITING) return 0;
  // Only a write can be torn. Other calls that need space are not counted before it.
  if (fault == TORN && need != WRITING && (fault_number == 0 || atomic_load(&calls) < fault_number)) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  bool lasts = fault == BROKEN || fault == FULL || fault == TORN;
  if (fault_number != 0 && number != fault_number && !(lasts && number > fault_number)) return 0;
  if (report >= 0) {
    char line[PATH_MAX + 100];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, path + root_length);
    syscall(SYS_write, report, line, (size_t)length);
  }
  if (fault_number == 0) return 0;
  if (fault == KILLED) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  if (fault == SHORT_WRITE || (fault == TORN && number == fault_number)) return -1;
  return fault == FULL || fault == TORN ? ENOSPC : EIO;
}

// MARK: - Recording

enum change {
  CREATED = 1, WRITTEN, TRUNCATED, SYNCED, FOLDER_SYNCED, RENAMED, LINKED, REMOVED, FOLDER_MADE, FOLDER_REMOVED,
  SYMLINKED, SAID, ALL_SYNCED
};

// The header of a change in the log. Its two paths, relative to the folder, and its bytes follow.
struct record {
  uint32_t change, path_length, other_length, unused;
  uint64_t node, offset, count;
};

static void record(
  enum change change, uint64_t node, const char *path, const char *other, uint64_t offset, const void *bytes,
  uint64_t count
) {
  if (path && *path) path += root_length;
  if (other && *other) other += root_length;
  struct record header = {
    change, path ? strlen(path) : 0, other ? strlen(other) : 0, 0, node, offset, bytes ? count : 0
  };
  struct iovec parts[] = {
    {&header, sizeof header}, {(void *)path, header.path_length}, {(void *)other, header.other_length},
    {(void *)bytes, header.count}
  };
  size_t all = sizeof header + header.path_length + header.other_length + header.count;
  if (syscall(SYS_writev, change_log, parts, 4) != (ssize_t)all) abort();
}

static bool is_recording(const char *path) { return change_log >= 0 && !is_shared_memory(path); }

static uint64_t node_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static void record_bytes(int descriptor, uint64_t offset, uint64_t count) {
  char link[40], *bytes = malloc(count);
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int reader = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
  if (!bytes || reader < 0 || syscall(SYS_pread64, reader, bytes, count, offset) != (ssize_t)count) abort();
  syscall(SYS_close, reader);
  record(WRITTEN, node_of(descriptor), NULL, NULL, offset, bytes, count);
  free(bytes);
}

static void lock(void) {
  if (change_log >= 0) pthread_mutex_lock(&changing);
}

static void unlock(void) {
  int error = errno;
  if (change_log >= 0) pthread_mutex_unlock(&changing);
  errno = error;
}

// MARK: - Opening

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  if (!full_path(folder, path, full)) return (int)syscall(SYS_openat, folder, path, flags, mode);
  // Unnamed files are not simulated. Callers then use a named file.
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  lock();
  struct stat status;
  bool is_new = (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, full, F_OK) != 0;
  int error = failure(is_new ? "create" : "open", full, is_new ? ROOM : NO_ROOM);
  int descriptor = -1;
  if (error > 0) {
    errno = error;
  } else {
    descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor >= 0 && is_recording(full) && fstat(descriptor, &status) == 0) {
      if (is_new) {
        record(CREATED, status.st_ino, full, NULL, 0, NULL, 0);
      } else if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) {
        record(TRUNCATED, status.st_ino, NULL, NULL, 0, NULL, 0);
      }
    }
  }
  unlock();
  return descriptor;
}

#define MODE(flags)                                     \
  mode_t mode = 0;                                      \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list list;                                       \
    va_start(list, flags);                              \
    mode = va_arg(list, mode_t);                        \
    va_end(list);                                       \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return open_at(folder, path, flags, mode);
}
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
int creat(const char *path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

// The C library's function would open the file with a call that this library cannot intercept.
static int make_temporary(char *template, int suffix, int flags) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  size_t length = strlen(template);
  if (length < (size_t)suffix + 6) {
    errno = EINVAL;
    return -1;
  }
  char *place = template + length - suffix - 6;
  for (int attempt = 0; attempt < 100; attempt++) {
    unsigned char random[6];
    syscall(SYS_getrandom, random, sizeof random, 0);
    for (int index = 0; index < 6; index++) place[index] = letters[random[index] % (sizeof letters - 1)];
    int descriptor = open_at(AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}
int mkstemp(char *template) { return make_temporary(template, 0, 0); }
int mkstemp64(char *template) { return make_temporary(template, 0, 0); }
int mkostemp(char *template, int flags) { return make_temporary(template, 0, flags); }
int mkostemp64(char *template, int flags) { return make_temporary(template, 0, flags); }
int mkstemps(char *template, int suffix) { return make_temporary(template, suffix, 0); }
int mkostemps(char *template, int suffix, int flags) { return make_temporary(template, suffix, flags); }

// MARK: - Writing

enum { AT_POSITION = -1 };

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
  char path[PATH_MAX];
  if (root_length == 0 || !path_of_descriptor(descriptor, path)) {
    ssize_t done =
      offset == AT_POSITION ? syscall(SYS_write, descriptor, bytes, count)
                            : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    // The log also records the process's output, because changes that it acknowledged before the power loss
    // must be there.
    if (done > 0 && descriptor == STDOUT_FILENO && change_log >= 0) {
      lock();
      record(SAID, 0, NULL, NULL, 0, bytes, (uint64_t)done);
      unlock();
    }
    return done;
  }
  lock();
  ssize_t done = -1;
  int error = failure("write", path, WRITING);
  if (error > 0) {
    errno = error;
  } else {
    if (error < 0 && count > 1) count /= 2;
    off_t from = offset;
    if (offset == AT_POSITION) {
      bool appends = syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND;
      from = (off_t)syscall(SYS_lseek, descriptor, 0, appends ? SEEK_END : SEEK_CUR);
      done = syscall(SYS_write, descriptor, bytes, count);
    } else {
      done = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    }
    if (done > 0 && is_recording(path)) {
      record(WRITTEN, node_of(descriptor), NULL, NULL, (uint64_t)from, bytes, (uint64_t)done);
    }
  }
  unlock();
  return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return write_at(descriptor, bytes, count, AT_POSITION);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset) {
  ssize_t all = 0;
  for (int index = 0; index < count; index++) {
    if (parts[index].iov_len == 0) continue;
    ssize_t done = write_at(
      descriptor, parts[index].iov_base, parts[index].iov_len, offset == AT_POSITION ? offset : offset + all
    );
    if (done < 0) return all > 0 ? all : done;
    all += done;
    if ((size_t)done < parts[index].iov_len) break;
  }
  return all;
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return write_parts(descriptor, parts, count, AT_POSITION);
}
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return write_parts(descriptor, parts, count, offset);
}
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
  return write_parts(descriptor, parts, count, offset);
}

// - Parameter offset: the position of the bytes, if they are not written at the file's position.
static ssize_t copy_into(int target, off64_t *offset, ssize_t (*copy)(void *), void *arguments) {
  char path[PATH_MAX];
  if (root_length == 0 || !path_of_descriptor(target, path)) return copy(arguments);
  lock();
  ssize_t done = -1;
  int error = failure("copy", path, ROOM);
  if (error > 0) {
    errno = error;
  } else {
    off64_t from = offset ? *offset : (off64_t)syscall(SYS_lseek, target, 0, SEEK_CUR);
    done = copy(arguments);
    if (done > 0 && is_recording(path)) record_bytes(target, (uint64_t)from, (uint64_t)done);
  }
  unlock();
  return done;
}

struct range_copy {
  int source, target;
  off64_t *source_offset, *target_offset;
  size_t count;
  unsigned flags;
};
static ssize_t copy_range(void *arguments) {
  struct range_copy *it = arguments;
  return syscall(
    SYS_copy_file_range, it->source, it->source_offset, it->target, it->target_offset, it->count, it->flags
  );
}
ssize_t copy_file_range(
  int source, off64_t *source_offset, int target, off64_t *target_offset, size_t count, unsigned flags
) {
  struct range_copy arguments = {source, target, source_offset, target_offset, count, flags};
  return copy_into(target, target_offset, copy_range, &arguments);
}

struct file_sending {
  int target, source;
  off_t *offset;
  size_t count;
};
static ssize_t send_file(void *arguments) {
  struct file_sending *it = arguments;
  return syscall(SYS_sendfile, it->target, it->source, it->offset, it->count);
}
ssize_t sendfile(int target, int source, off_t *offset, size_t count) {
  struct file_sending arguments = {target, source, offset, count};
  return copy_into(target, NULL, send_file, &arguments);
}
ssize_t sendfile64(int target, int source, off64_t *offset, size_t count) {
  return sendfile(target, source, (off_t *)offset, count);
}

#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif
int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  char path[PATH_MAX];
  // The bytes of a clone are not visible here. Callers copy instead if the file system cannot clone.
  if (request == FICLONE && root_length > 0 && path_of_descriptor(descriptor, path)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

// MARK: - Lengths

static int change_length(int descriptor, const char *name, off_t length, int mode, off_t offset) {
  char path[PATH_MAX];
  bool is_ours = root_length > 0 && path_of_descriptor(descriptor, path);
  bool truncates = strcmp(name, "ftruncate") == 0;
  if (is_ours) lock();
  int error = is_ours ? failure(name, path, ROOM) : 0, result = -1;
  if (error > 0) {
    errno = error;
  } else {
    result = (int)(truncates ? syscall(SYS_ftruncate, descriptor, length)
                             : syscall(SYS_fallocate, descriptor, mode, offset, length));
    struct stat status;
    if (result == 0 && is_ours && is_recording(path) && fstat(descriptor, &status) == 0) {
      record(TRUNCATED, status.st_ino, NULL, NULL, (uint64_t)status.st_size, NULL, 0);
    }
  }
  if (is_ours) unlock();
  return result;
}
int ftruncate(int descriptor, off_t length) { return change_length(descriptor, "ftruncate", length, 0, 0); }
int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return change_length(descriptor, "fallocate", length, mode, offset);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return fallocate(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return fallocate(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return posix_fallocate(descriptor, offset, length);
}
int truncate(const char *path, off_t length) {
  char full[PATH_MAX];
  int descriptor = full_path(AT_FDCWD, path, full)
    ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0) : -1;
  if (descriptor < 0) return (int)syscall(SYS_truncate, path, length);
  int result = ftruncate(descriptor, length), error = errno;
  syscall(SYS_close, descriptor);
  errno = error;
  return result;
}
int truncate64(const char *path, off64_t length) { return truncate(path, length); }

// MARK: - Synchronising

static int synchronise(int descriptor, const char *name, long number) {
  char path[PATH_MAX];
  if (root_length == 0 || !path_of_descriptor(descriptor, path)) return (int)syscall(number, descriptor);
  lock();
  int result = -1, error = failure(name, path, NO_ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(number, descriptor);
    struct stat status;
    if (result == 0 && is_recording(path) && fstat(descriptor, &status) == 0) {
      record(S_ISDIR(status.st_mode) ? FOLDER_SYNCED : SYNCED, status.st_ino, path, NULL, 0, NULL, 0);
    }
  }
  unlock();
  return result;
}
int fsync(int descriptor) { return synchronise(descriptor, "fsync", SYS_fsync); }
int fdatasync(int descriptor) { return synchronise(descriptor, "fdatasync", SYS_fdatasync); }
void sync(void) {
  syscall(SYS_sync);
  if (change_log >= 0) record(ALL_SYNCED, 0, NULL, NULL, 0, NULL, 0);
}
int syncfs(int descriptor) {
  int result = (int)syscall(SYS_syncfs, descriptor);
  if (result == 0 && change_log >= 0) record(ALL_SYNCED, 0, NULL, NULL, 0, NULL, 0);
  return result;
}

// MARK: - Names

static int rename_at(int from, const char *path, int to, const char *other, unsigned flags) {
  char full[PATH_MAX], full_other[PATH_MAX];
  bool is_ours = full_path(from, path, full), leads_here = full_path(to, other, full_other);
  if (!is_ours && !leads_here) return (int)syscall(SYS_renameat2, from, path, to, other, flags);
  lock();
  int result = -1, error = failure("rename", leads_here ? full_other : full, ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(SYS_renameat2, from, path, to, other, flags);
    // The simulation does not support exchanged names and renames across the folder's border, which do not occur.
    if (result == 0 && change_log >= 0) {
      if (!is_ours || !leads_here || (flags & RENAME_EXCHANGE)) abort();
      record(RENAMED, 0, full, full_other, 0, NULL, 0);
    }
  }
  unlock();
  return result;
}
int rename(const char *path, const char *other) { return rename_at(AT_FDCWD, path, AT_FDCWD, other, 0); }
int renameat(int from, const char *path, int to, const char *other) {
  return rename_at(from, path, to, other, 0);
}
int renameat2(int from, const char *path, int to, const char *other, unsigned flags) {
  return rename_at(from, path, to, other, flags);
}

int linkat(int from, const char *path, int to, const char *other, int flags) {
  char full[PATH_MAX], full_other[PATH_MAX];
  if (!full_path(to, other, full_other)) return (int)syscall(SYS_linkat, from, path, to, other, flags);
  lock();
  int result = -1, error = failure("link", full_other, ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(SYS_linkat, from, path, to, other, flags);
    if (result == 0 && change_log >= 0) {
      if (!full_path(from, path, full)) abort();
      record(LINKED, 0, full, full_other, 0, NULL, 0);
    }
  }
  unlock();
  return result;
}
int link(const char *path, const char *other) { return linkat(AT_FDCWD, path, AT_FDCWD, other, 0); }

int symlinkat(const char *target, int folder, const char *path) {
  char full[PATH_MAX];
  if (!full_path(folder, path, full)) return (int)syscall(SYS_symlinkat, target, folder, path);
  lock();
  int result = -1, error = failure("symlink", full, ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(SYS_symlinkat, target, folder, path);
    if (result == 0 && change_log >= 0) {
      record(SYMLINKED, 0, full, NULL, 0, target, strlen(target));
    }
  }
  unlock();
  return result;
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int unlinkat(int folder, const char *path, int flags) {
  char full[PATH_MAX];
  if (!full_path(folder, path, full)) return (int)syscall(SYS_unlinkat, folder, path, flags);
  lock();
  int result = -1, error = failure(flags & AT_REMOVEDIR ? "rmdir" : "unlink", full, NO_ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (result == 0 && is_recording(full)) {
      record(flags & AT_REMOVEDIR ? FOLDER_REMOVED : REMOVED, 0, full, NULL, 0, NULL, 0);
    }
  }
  unlock();
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = unlink(path);
  return result < 0 && errno == EISDIR ? rmdir(path) : result;
}

int mkdirat(int folder, const char *path, mode_t mode) {
  char full[PATH_MAX];
  if (!full_path(folder, path, full)) return (int)syscall(SYS_mkdirat, folder, path, mode);
  lock();
  int result = -1, error = failure("mkdir", full, ROOM);
  if (error > 0) {
    errno = error;
  } else {
    result = (int)syscall(SYS_mkdirat, folder, path, mode);
    if (result == 0 && change_log >= 0) record(FOLDER_MADE, 0, full, NULL, 0, NULL, 0);
  }
  unlock();
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// MARK: - Memory

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  char path[PATH_MAX];
  if (descriptor >= 0 && root_length > 0 && path_of_descriptor(descriptor, path)) {
    int error = failure("mmap", path, NO_ROOM);
    if (error > 0) {
      errno = error;
      return MAP_FAILED;
    }
    // Writes through mapped memory are not visible here.
    bool writes = (protection & PROT_WRITE) && (flags & MAP_TYPE) != MAP_PRIVATE;
    if (writes && is_recording(path)) abort();
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, length, protection, flags, descriptor, offset);
}
