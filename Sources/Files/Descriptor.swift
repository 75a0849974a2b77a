package import Foundation

/// An open file or folder, closed with its last reference.
package final class Descriptor: @unchecked Sendable {
  // Never changed: the number is only passed to system calls, which are safe on any thread.
  package let number: Int32
  /// For messages.
  package let path: String

  /// Takes over an open file.
  ///
  /// - Throws: a `FileFailure` with the last error of the thread when the number is negative, as of
  ///   a system call that failed.
  package init(_ number: Int32, path: String) throws {
    guard number >= 0 else { throw FileFailure(path: path) }
    self.number = number
    self.path = path
  }

  /// Opens a file or folder.
  ///
  /// - Throws: a `FileFailure` when the system does not open it.
  package convenience init(path: String, flags: Int32, mode: mode_t = 0o666) throws {
    try self.init(open(path, flags | O_CLOEXEC, mode), path: path)
  }

  /// Opens what lies in this folder under a name, and never what a link of that name leads to.
  ///
  /// - Throws: a `FileFailure` when the system does not open it, as it opens no link.
  package func entry(_ name: String, flags: Int32, mode: mode_t = 0o666) throws -> Descriptor {
    try Descriptor(
      openat(number, name, flags | O_CLOEXEC | O_NOFOLLOW, mode),
      path: "\(path)/\(name)"
    )
  }

  deinit { close(number) }

  /// The status of the open file.
  ///
  /// - Throws: a `FileFailure` when the system does not tell it.
  package func status() throws -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileFailure(path: path) }
    return status
  }

  /// Writes all of the data, where the file is written to next.
  ///
  /// - Throws: a `FileFailure`; a part of the data may be in the file then.
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

  /// The next bytes, at most so many; none at the end.
  ///
  /// - Throws: a `FileFailure` when the file cannot be read, as a folder cannot.
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

  /// Waits until the file, or the list of names of a folder, is on the disk.
  ///
  /// - Throws: a `FileFailure` when writing to the disk failed. Files that have nothing to
  ///   synchronise, such as pipes, are no failure.
  package func synchronize() throws {
    while fsync(number) != 0 {
      if errno == EINTR { continue }
      // Some file systems, and all pipes and devices, have nothing to synchronize.
      if errno == EINVAL || errno == ENOTSUP || errno == EBADF { return }
      throw FileFailure(path: path)
    }
  }
}
