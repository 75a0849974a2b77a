package import Foundation

/// An open file or folder, closed with its last reference.
package final class Descriptor: @unchecked Sendable {
  // Sendable because the number never changes. It is only passed to system calls, which are safe on any thread.
  package let number: Int32
  /// The path, for error messages.
  package let path: String

  /// Takes ownership of an open file.
  ///
  /// - Throws: a `FileFailure` with the thread's last error when the number is negative, which is the result of a
  ///   system call that failed.
  package init(_ number: Int32, path: String) throws {
    guard number >= 0 else { throw FileFailure(path: path) }
    self.number = number
    self.path = path
  }

  /// Opens a file or folder.
  ///
  /// - Throws: a `FileFailure` when the system cannot open it.
  package convenience init(path: String, flags: Int32, mode: mode_t = 0o666) throws {
    try self.init(open(path, flags | O_CLOEXEC, mode), path: path)
  }

  /// Opens the entry of a name in this folder. It does not follow a symbolic link.
  ///
  /// - Throws: a `FileFailure` when the system cannot open the entry, or when the entry is a symbolic link.
  package func entry(_ name: String, flags: Int32, mode: mode_t = 0o666) throws -> Descriptor {
    try Descriptor(openat(number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode), path: "\(path)/\(name)")
  }

  deinit { close(number) }

  /// Returns the status of the open file.
  ///
  /// - Throws: a `FileFailure` when the system cannot read the status.
  package func status() throws -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileFailure(path: path) }
    return status
  }

  /// True if the file belongs to this user.
  package var isOwn: Bool { (try? status().st_uid) == geteuid() }

  /// True if the file's mode allows other users nothing.
  package var isPrivate: Bool { (try? status().st_mode & 0o077) == 0 }

  /// Writes all of the data at the file's current position.
  ///
  /// - Throws: a `FileFailure`. The file may contain a part of the data in that case.
  package func write(_ data: Data) throws {
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Darwin)
          let count = Darwin.write(number, part.baseAddress, part.count)
        #else
          let count = Glibc.write(number, part.baseAddress, part.count)
        #endif
        if count < 0 {
          if errno == EINTR { continue }
          throw FileFailure(path: path)
        }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Reads the next bytes, up to a count. The result is empty at the end of the file.
  ///
  /// - Throws: a `FileFailure` when the file cannot be read, for example because it is a folder.
  package func read(upTo count: Int) throws -> Data {
    var data = Data(count: count)
    let read = try data.withUnsafeMutableBytes { bytes in
      while true {
        #if canImport(Darwin)
          let count = Darwin.read(number, bytes.baseAddress, bytes.count)
        #else
          let count = Glibc.read(number, bytes.baseAddress, bytes.count)
        #endif
        if count >= 0 { return count }
        if errno != EINTR { throw FileFailure(path: path) }
      }
    }
    return data.prefix(read)
  }

  /// Waits until the file, or the list of a folder's names, is on the disk.
  ///
  /// A file that has nothing to synchronize, such as a pipe, is not an error.
  ///
  /// - Throws: a `FileFailure` when writing to the disk failed.
  package func synchronize() throws {
    while fsync(number) != 0 {
      if errno == EINTR { continue }
      // Some file systems, and all pipes and devices, have nothing to synchronize.
      if errno == EINVAL || errno == ENOTSUP || errno == EBADF { return }
      throw FileFailure(path: path)
    }
  }
}
