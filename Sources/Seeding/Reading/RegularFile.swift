import Foundation

/// A regular file, and not a device, pipe, socket or folder, whose bytes may never arrive or never end.
struct RegularFile {
  /// The numbers that distinguish one version of a file from another.
  struct Stamp: Hashable {
    fileprivate let numbers: [Int64]
  }

  let handle: FileHandle
  let stamp: Stamp

  /// Opens the file that a URL leads to, through symbolic links, without blocking.
  /// - Parameter file: The name by which errors call it.
  /// - Throws: A `SeedError` for a file that cannot be opened, and for anything else than a regular file.
  init(_ url: URL, shownAs file: String) throws {
    // Opening a pipe without a writer would block the program.
    let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(file, code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(file, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: file),
        problem: "this is \(Self.words(status.st_mode)) and no regular file",
        remedy: "write what it gives into a file, and seed that"
      )
    }
    self.handle = handle
    stamp = Stamp(status)
  }

  private static func words(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  private static func unreadable(_ file: String, code: Int32) -> SeedError {
    let isMissing = code == ENOENT
    return SeedError(
      code: .unreadableFile,
      at: SeedPosition(file: file),
      problem: isMissing
        ? "there is no such file" : "the file cannot be read: \(String(cString: strerror(code)))",
      remedy: isMissing ? "check the path" : "check its permissions",
      underlying: POSIXErrorCode(rawValue: code).map { POSIXError($0) }
    )
  }
}

extension RegularFile.Stamp {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    numbers = [
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
      Int64(truncatingIfNeeded: status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec),
    ]
  }
}
