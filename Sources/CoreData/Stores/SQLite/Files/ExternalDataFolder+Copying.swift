import Files
import Foundation

extension ExternalDataFolder {
  /// Copies all files into another folder, and keeps the files that are there.
  ///
  /// - Parameter permissions: the permissions of the copies; `nil` for those that both stores have in common.
  /// - Returns: the names of the files that were created.
  /// - Throws: an error. No copy is then left.
  func copy(to other: ExternalDataFolder, as permissions: FilePermissions? = nil) throws -> [String] {
    try copy(try readNames(), to: other, as: permissions) { _ in }
  }

  /// Copies files into another folder, and keeps the files that are there.
  ///
  /// - Parameters:
  ///   - names: the names of the files, which must exist.
  ///   - given: the permissions of the copies; `nil` for those that both stores have in common.
  ///   - report: called after each part of a file with the number of its bytes. An error that it throws ends
  ///     the copying.
  /// - Returns: the names of the files that were created.
  /// - Throws: an error. No copy is then left.
  func copy(
    _ names: [String],
    to other: ExternalDataFolder,
    as given: FilePermissions? = nil,
    report: (Int) throws -> Void
  ) throws -> [String] {
    if names.isEmpty { return [] }
    let isNew = other.isMissing
    var copied: [String] = []
    do {
      let permissions = given ?? self.permissions(with: other)
      let (source, target) = (try open(), try other.open(creatingWith: permissions))
      for name in names
      where try Self.copy(
        name,
        from: source,
        to: target,
        permissions: permissions,
        mode: given?.ofFile,
        report
      ) {
        copied.append(name)
      }
      try target.synchronize()
    } catch {
      other.remove(copied)
      if isNew { other.removeEmptyFolder() }
      throw error
    }
    return copied
  }

  /// The permissions of copies in another folder: those that both stores have in common.
  private func permissions(with other: ExternalDataFolder) -> FilePermissions? {
    guard let present = other.permissions else { return permissions }
    return permissions.map(present.intersection) ?? present
  }

  /// - Parameter mode: the mode of the copy; `nil` for the file's mode, as far as the permissions allow it.
  /// - Returns: true when the file was not there before.
  private static func copy(
    _ name: String,
    from source: Descriptor,
    to target: Descriptor,
    permissions: FilePermissions?,
    mode: mode_t?,
    _ report: (Int) throws -> Void
  ) throws -> Bool {
    let file = try source.entry(name, flags: O_RDONLY | O_NONBLOCK)
    if let present = size(name, in: target) {
      // A file with the same name has the same bytes, unless its copying was interrupted.
      if try present == Int(file.status().st_size) { return false }
    }
    let part = "\(name).part-\(UUID().uuidString)"
    do {
      let mode = try mode ?? (file.status().st_mode & (permissions?.ofFile ?? 0o666) | 0o600)
      let copy = try target.entry(part, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
      try permissions?.limit(copy)
      while true {
        let data = try file.read(upTo: 1 << 20)
        if data.isEmpty { break }
        try copy.write(data)
        try report(data.count)
      }
      try copy.synchronize()
      guard renameat(target.number, part, target.number, name) == 0 else {
        throw FileFailure(path: "\(target.path)/\(name)")
      }
    } catch {
      unlinkat(target.number, part, 0)
      throw error
    }
    return true
  }

  /// Moves all files into another folder of the same volume. One of the same name that is there has
  /// the same bytes, unless a copy broke off, and is replaced.
  ///
  /// - Returns: the names of the files that were not there.
  /// - Throws: an error. No file is then left in the other folder.
  func move(to other: ExternalDataFolder) throws -> [String] {
    let names = try readNames()
    if names.isEmpty { return [] }
    let isNew = other.isMissing
    var moved: [String] = []
    do {
      let (source, target) = (try open(), try other.open(creatingWith: permissions(with: other)))
      for name in names {
        let isAbsent = Self.size(name, in: target) == nil
        guard renameat(source.number, name, target.number, name) == 0 else {
          throw FileFailure(path: "\(target.path)/\(name)")
        }
        if isAbsent { moved.append(name) }
      }
      try target.synchronize()
    } catch {
      other.remove(moved)
      if isNew { other.removeEmptyFolder() }
      throw error
    }
    return moved
  }

  /// The sizes of the existing files among some names, in bytes.
  ///
  /// - Throws: an error when there is a folder that cannot be read.
  func sizes(of names: Set<String>) throws -> [String: Int] {
    if names.isEmpty { return [:] }
    let present = names.intersection(try readNames())
    if present.isEmpty { return [:] }
    let folder = try open()
    return Dictionary(
      uniqueKeysWithValues: present.compactMap { name in Self.size(name, in: folder).map { (name, $0) } }
    )
  }

  /// True if the folder does not exist. An existing folder may belong to another program, even if it is empty.
  private var isMissing: Bool { FileKind(at: folder.path) == .nothing }

  /// Removes the folder if it is empty.
  func removeEmptyFolder() {
    guard FileKind(at: support.path) == .folder else { return }
    rmdir(folder.path)
    rmdir(support.path)
  }
}
