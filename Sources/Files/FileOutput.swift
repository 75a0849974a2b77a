package import Foundation

/// A file that is being written: what a command's `--output` names, or a store that is kept as a
/// whole.
///
/// A regular file is there as a whole or not at all, also after a loss of power: its data go into a
/// file beside it, which takes its place at the end. A symbolic link stays, and what it leads to is
/// written. A device or a pipe is written into, and never replaced.
package final class FileOutput {
  private let descriptor: Descriptor
  /// The path of the data until they are whole, and the path where they are to be; `nil` for a file
  /// that is written into.
  private let parts: (temporary: String, place: String)?
  private var isFinished = false

  /// - Throws: a `FileFailure` when the place cannot be written.
  package init(_ url: URL) throws {
    let path = url.path
    if let number = Self.openNumber(path) {
      descriptor = try Descriptor(dup(number), path: path)
      parts = nil
      return
    }
    switch FileKind(behind: path) {
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

  /// Writes data to a place, whole or not at all.
  ///
  /// - Throws: a `FileFailure`; a regular file is as it was then, unless it was its folder that
  ///   could not be synchronised.
  package static func write(_ data: Data, to url: URL) throws {
    let output = try FileOutput(url)
    try output.write(data)
    try output.finish()
  }

  /// The version of what was written, which it keeps in its place; `nil` where it is written into
  /// something else than a regular file.
  ///
  /// Asked for before ``finish()``: what lies there later may be another program's.
  ///
  /// - Throws: a `FileFailure` when the system does not tell.
  package func version() throws -> FileVersion? {
    try parts.map { _ in FileVersion(try descriptor.status()) }
  }

  /// Writes some more.
  ///
  /// - Throws: a `FileFailure` when the data cannot be written.
  package func write(_ data: Data) throws { try descriptor.write(data) }

  /// Puts what was written in its place.
  ///
  /// - Throws: a `FileFailure` as ``FilePlacing/replace(_:with:)`` throws it; none for a file that
  ///   was written into.
  package func finish() throws {
    if let parts { try FilePlacing.replace(parts.place, with: parts.temporary) }
    isFinished = true
  }

  /// Puts what was written in its place, where there is nothing yet.
  ///
  /// - Returns: `false`, and nothing is changed, when there is something by now; `true` for what was
  ///   written into.
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

  /// Removes the data that were written into a file that is not in its place yet.
  package func discard() {
    if let parts, !isFinished { unlink(parts.temporary) }
    isFinished = true
  }

  /// The number of an open file that a path stands for: opened anew it would be written from its
  /// beginning.
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

  /// The path behind all symbolic links, of which the last may lead to a file that is not there
  /// yet.
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

  /// Creates an empty file with the permissions of the one whose place it is to take.
  private static func create(_ temporary: String, like place: String) throws -> Descriptor {
    var status = stat()
    let isThere = lstat(place, &status) == 0
    if isThere, access(place, W_OK) != 0 { throw FileFailure(path: place) }
    let created: Descriptor
    do {
      // From the beginning: who opens the file before its permissions are set could read it afterwards.
      let mode = isThere ? status.st_mode & 0o666 | 0o200 : 0o666
      created = try Descriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    } catch let failure as FileFailure {
      throw FileFailure(path: place, code: failure.code)
    }
    if isThere {
      // Only the owner and root may; a file that is somebody else's becomes the writer's, as with
      // any rename.
      _ = fchown(created.number, status.st_uid, status.st_gid)
      _ = fchmod(created.number, status.st_mode & 0o7777)
    }
    return created
  }
}
