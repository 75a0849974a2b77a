package import Foundation

/// A file that is being written: the target of a command's `--output`, or a store that is saved as a whole.
///
/// A regular file appears completely or not at all, even after a power failure. The data goes into a temporary file
/// in the same folder, which replaces the target at the end. A symbolic link stays, and the file that it leads to
/// is written. A device or a pipe is written to and never replaced.
package final class FileOutput {
  private let descriptor: Descriptor
  /// The path of the temporary file and the path of the target; `nil` for a target that is written directly.
  private let parts: (temporary: String, place: String)?
  private var isFinished = false

  /// Opens the output.
  ///
  /// - Throws: a `FileFailure` when the target cannot be written.
  package init(_ url: URL) throws {
    let path = url.path
    if let number = Self.openNumber(path) {
      descriptor = try Descriptor(dup(number), path: path)
      parts = nil
      return
    }
    switch FileKind(resolving: path) {
    case .folder: throw FileFailure(path: path, code: EISDIR)
    case .device, .pipe, .socket:
      descriptor = try Descriptor(path: path, flags: O_WRONLY | O_NOCTTY)
      parts = nil
    case .regular, .nothing, .hidden, .link:
      let place = try Self.end(of: path)
      let temporary =
        "\(FilePlacing.folder(of: place))/.\((place as NSString).lastPathComponent)-\(UUID().uuidString)"
      descriptor = try Self.create(temporary, like: place)
      parts = (temporary, place)
    }
  }

  deinit { discard() }

  /// Writes data to a target, completely or not at all.
  ///
  /// - Throws: a `FileFailure`. A regular file is unchanged in that case, unless only the synchronization of its
  ///   folder failed.
  package static func write(_ data: Data, to url: URL) throws {
    let output = try FileOutput(url)
    try output.write(data)
    try output.finish()
  }

  /// Returns the version of the written file, which stays the same when the file replaces the target. The result is
  /// `nil` for a target that is not a regular file.
  ///
  /// Call it before ``finish()``, because another program may replace the target afterwards.
  ///
  /// - Throws: a `FileFailure` when the system cannot read the file's status.
  package func version() throws -> FileVersion? {
    try parts.map { _ in FileVersion(try descriptor.status()) }
  }

  /// Appends data.
  ///
  /// - Throws: a `FileFailure` when the data cannot be written.
  package func write(_ data: Data) throws { try descriptor.write(data) }

  /// Moves the written file to its target.
  ///
  /// - Throws: a `FileFailure` as ``FilePlacing/replace(_:with:)`` throws it. A target that is written directly
  ///   throws no error.
  package func finish() throws {
    if let parts { try FilePlacing.replace(parts.place, with: parts.temporary) }
    isFinished = true
  }

  /// Moves the written file to its target, if there is no file yet.
  ///
  /// - Returns: `false`, without a change, when there is a file at the target; `true` for a target that is written
  ///   directly.
  /// - Throws: a `FileFailure` as ``FilePlacing/putIfAbsent(_:at:)`` throws it.
  package func finishIfAbsent() throws -> Bool {
    guard let parts else {
      isFinished = true
      return true
    }
    try FilePlacing.synchronizeFile(parts.temporary)
    guard try FilePlacing.putIfAbsent(parts.temporary, at: parts.place) else { return false }
    isFinished = true
    return true
  }

  /// Removes the temporary file, unless it was already moved to its target.
  package func discard() {
    if let parts, !isFinished { unlink(parts.temporary) }
    isFinished = true
  }

  /// Returns the number of the open file that a path such as `/dev/stdout` refers to.
  ///
  /// The file is not opened a second time, because the new descriptor would begin at the start of the file.
  private static func openNumber(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }

  /// Returns the path at the end of all symbolic links. The last link may lead to a file that does not exist yet.
  private static func end(of path: String) throws -> String {
    var path = path
    for _ in 0..<40 {
      guard case .link = FileKind(at: path) else { return path }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      guard readlink(path, &bytes, Int(PATH_MAX)) >= 0 else { throw FileFailure(path: path) }
      let target = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      path = target.hasPrefix("/") ? target : "\(FilePlacing.folder(of: path))/\(target)"
    }
    throw FileFailure(path: path, code: ELOOP)
  }

  /// Creates an empty file with the permissions of the file that it will replace.
  private static func create(_ temporary: String, like place: String) throws -> Descriptor {
    var status = stat()
    let isThere = lstat(place, &status) == 0
    if isThere, access(place, W_OK) != 0 { throw FileFailure(path: place) }
    let created: Descriptor
    do {
      // The mode is set at creation. A process that opens the file before its permissions are reduced could read it
      // afterwards.
      let mode = isThere ? status.st_mode & 0o666 | 0o200 : 0o666
      created = try Descriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    } catch let failure as FileFailure {
      throw FileFailure(path: place, code: failure.code)
    }
    if isThere {
      // Only root may set another owner, and only root and a group's members may set the group. Without that permission
      // the file becomes the writer's, as with any rename.
      _ = fchown(created.number, status.st_uid, status.st_gid)
      _ = fchmod(created.number, status.st_mode & 0o7777)
    }
    return created
  }
}
