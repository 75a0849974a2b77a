import Foundation

/// Steps that move a finished file to its target. After a power failure, the target has its state before or after a
/// step.
package enum FilePlacing {
  /// Returns the folder of a path, from the path's text alone.
  ///
  /// The result is `.` for a name without a folder and for an empty path, and `/` for the root and for a name in
  /// the root.
  ///
  /// The function does not call Foundation's `NSString.deletingLastPathComponent`, which on Linux traps for a name
  /// of one character, such as `d` or `d/`.
  package static func folder(of path: String) -> String {
    // The loop compares bytes, because a slash and the accent that follows it are one `Character`.
    let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
    guard let end = bytes.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "." : "/" }
    guard let before = bytes[...end].lastIndex(of: slash) else { return "." }
    guard let last = bytes[..<before].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: bytes[...last], as: UTF8.self)
  }

  /// Waits until the names in a folder are on the disk. A file system that cannot synchronize folders is not an error.
  ///
  /// - Throws: a `FileFailure` when there is no such folder, it cannot be read, or its names could not be written.
  package static func synchronizeFolder(_ folder: String) throws {
    do {
      try Descriptor(path: folder, flags: O_RDONLY | O_DIRECTORY).synchronize()
    } catch let failure as FileFailure where failure.code == EINVAL || failure.code == ENOTSUP {
      return
    }
  }

  /// Creates an empty file with at most the permissions of another file, except that its owner may read and write it.
  ///
  /// - Throws: a `FileFailure`, also when there is a file at the path.
  package static func makeFile(_ path: String, withModeOf other: String) throws {
    guard let permissions = FilePermissions(resolving: other) else { throw FileFailure(path: other) }
    let file = try Descriptor(path: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: permissions.ofFile)
    try permissions.limit(file)
  }

  /// Waits until a file is on the disk.
  ///
  /// - Throws: a `FileFailure` when the file cannot be opened or written. A path whose last name is a symbolic link
  ///   cannot be opened.
  package static func synchronizeFile(_ path: String) throws {
    try Descriptor(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK).synchronize()
  }

  /// Moves a file to a target where there is no file or a regular file.
  ///
  /// - Throws: a `FileFailure`. Nothing is changed in that case, unless only the synchronization of the folder failed.
  package static func replace(_ place: String, with file: String) throws {
    switch FileKind(at: place) {
    case .nothing, .regular: break
    case .folder: throw FileFailure(path: place, code: EISDIR)
    case .link, .device, .pipe, .socket, .hidden: throw FileFailure(path: place, code: EPERM)
    }
    try synchronizeFile(file)
    guard rename(file, place) == 0 else { throw FileFailure(path: place) }
    try synchronizeFolder(folder(of: place))
  }

  /// Replaces a folder with a folder or a file.
  ///
  /// The replacement takes two renames, and between them there is nothing at the target. If the second rename
  /// fails, the old folder is moved back.
  ///
  /// - Throws: a `FileFailure`. Nothing is changed in that case, unless only the synchronization of the parent
  ///   folder failed. Foundation's error when the old folder cannot be removed.
  package static func replaceFolder(_ place: String, with other: String) throws {
    let former = "\(folder(of: place))/.\((place as NSString).lastPathComponent)-\(UUID().uuidString)"
    guard rename(place, former) == 0 else { throw FileFailure(path: place) }
    guard rename(other, place) == 0 else {
      let failure = FileFailure(path: place)
      rename(former, place)
      throw failure
    }
    try synchronizeFolder(folder(of: place))
    try FileManager.default.removeItem(atPath: former)
  }

  /// Moves a file to a target on the same volume in one step that never replaces a file.
  ///
  /// If several processes do so at once, one of them succeeds. The file does not stay at its old path.
  ///
  /// - Returns: `false`, without a change, when the target exists, even as a link that leads nowhere.
  /// - Throws: a `FileFailure`. The file is removed from the target in that case, as far as the system allows it.
  package static func putIfAbsent(_ file: String, at place: String) throws -> Bool {
    // The hard link is a second name for the file. The system refuses it where the name exists.
    let isLinked = link(file, place) == 0
    if !isLinked {
      if FileKind(at: place) != .nothing { return false }
      // File systems without hard links, such as FAT, need a rename.
      guard rename(file, place) == 0 else { throw FileFailure(path: place) }
    }
    do {
      try synchronizeFolder(folder(of: place))
    } catch {
      if isLinked { unlink(place) } else { rename(place, file) }
      throw error
    }
    if isLinked { unlink(file) }
    return true
  }

  /// Moves a folder to a target on the same volume in one step. The target does not exist, or is an empty folder.
  ///
  /// The folder does not stay at its old path.
  ///
  /// - Returns: `false`, without a change, when there is anything else at the target.
  /// - Throws: a `FileFailure`. Nothing is changed in that case, unless only the synchronization of the parent
  ///   folder failed.
  package static func putFolderIfAbsent(_ other: String, at place: String) throws -> Bool {
    guard rename(other, place) == 0 else {
      if [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) { return false }
      throw FileFailure(path: place)
    }
    try synchronizeFolder(folder(of: place))
    return true
  }

  /// Removes a regular file.
  ///
  /// - Returns: `false` where there is no file.
  /// - Throws: a `FileFailure` for anything other than a regular file.
  @discardableResult
  package static func removeFile(_ path: String) throws -> Bool {
    switch FileKind(at: path) {
    case .nothing: return false
    case .regular: break
    case .folder: throw FileFailure(path: path, code: EISDIR)
    case .link, .device, .pipe, .socket, .hidden: throw FileFailure(path: path, code: EPERM)
    }
    guard unlink(path) == 0 || errno == ENOENT else { throw FileFailure(path: path) }
    return true
  }
}
