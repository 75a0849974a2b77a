import Foundation

/// Steps that put a finished file where it is to be, so that a loss of power leaves the one or the
/// other state.
package enum FilePlacing {
  /// The folder that a path lies in, by its text alone: `.` for a name without a folder, and for
  /// nothing; `/` for what lies at the root, and for the root.
  ///
  /// Foundation's `NSString.deletingLastPathComponent` is not asked: on Linux it traps for a name of
  /// one character, such as `d` or `d/`.
  package static func folder(of path: String) -> String {
    // Bytes, since a slash and an accent behind it are one character.
    let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
    guard let end = bytes.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "." : "/" }
    guard let before = bytes[...end].lastIndex(of: slash) else { return "." }
    guard let last = bytes[..<before].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: bytes[...last], as: UTF8.self)
  }

  /// Waits until the names in a folder are on the disk. File systems that cannot synchronise
  /// folders are not asked again.
  ///
  /// - Throws: a `FileFailure` when there is no such folder, it cannot be read, or its names could
  ///   not be written.
  package static func synchronizeFolder(_ folder: String) throws {
    do {
      try Descriptor(path: folder, flags: O_RDONLY | O_DIRECTORY).synchronize()
    } catch let failure as FileFailure where failure.code == EINVAL || failure.code == ENOTSUP {
      return
    }
  }

  /// Makes an empty file that no user but its owner may read or write who may not do so with another one.
  ///
  /// - Throws: a `FileFailure`, also when there is something at the place.
  package static func makeFile(_ path: String, withModeOf other: String) throws {
    guard let permissions = FilePermissions(behind: other) else { throw FileFailure(path: other) }
    let file = try Descriptor(path: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: permissions.ofFile)
    try permissions.limit(file)
  }

  /// Waits until a file is on the disk.
  ///
  /// - Throws: a `FileFailure` when the file cannot be opened, for a link as the last name of the
  ///   path too, or could not be written.
  package static func synchronizeFile(_ path: String) throws {
    try Descriptor(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK).synchronize()
  }

  /// Renames a file over what is at a place: nothing, or a regular file.
  ///
  /// - Throws: a `FileFailure`; nothing is changed then, unless it was the folder that could not be
  ///   synchronised.
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

  /// Puts a folder or a file in the place of a folder. Between two renames there is nothing at the
  /// place; what was there comes back when the second one fails.
  ///
  /// - Throws: a `FileFailure`; nothing is changed then, unless it was the folder around that could
  ///   not be synchronised. Foundation's error when what was there cannot be removed.
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

  /// Puts a file at a place of the same volume, in one step that replaces nothing: of several
  /// processes that do so at once, one succeeds. The file is gone from where it was.
  ///
  /// - Returns: `false`, and nothing is changed, when there is something at the place, be it a link
  ///   that leads nowhere.
  /// - Throws: a `FileFailure`; there is nothing at the place then, as far as the system lets it be
  ///   taken back.
  package static func putIfAbsent(_ file: String, at place: String) throws -> Bool {
    // A second name for the file, which the system refuses where there is anything of that name.
    let isLinked = link(file, place) == 0
    if !isLinked {
      if FileKind(at: place) != .nothing { return false }
      // File systems without hard links, such as FAT, are renamed on.
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

  /// Puts a folder at a place of the same volume where there is nothing, or an empty folder, in one step.
  /// The folder is gone from where it was.
  ///
  /// - Returns: `false`, and nothing is changed, when there is something else at the place.
  /// - Throws: a `FileFailure`; nothing is changed then, unless it was the folder around that could
  ///   not be synchronised.
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
  /// - Returns: `false` where there is nothing.
  /// - Throws: a `FileFailure` for anything else than a regular file.
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
