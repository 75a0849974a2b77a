package import Foundation

/// The permissions of a file, for copies of it: a user who may not read the original may not read a copy.
package struct FilePermissions: Hashable, Sendable {
  private let mode: mode_t
  private let group: gid_t

  private init(mode: mode_t, group: gid_t) { (self.mode, self.group) = (mode & 0o777, group) }

  /// Reads the permissions of the file or folder that a path leads to.
  ///
  /// They are `nil` where there is no file, or when the system cannot read its status.
  package init?(resolving path: String) {
    // The file is not opened, because closing a database drops the locks that the process holds on it.
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode, group: status.st_gid)
  }

  /// Returns the permissions that both these and others allow.
  package func intersection(_ other: FilePermissions) -> FilePermissions {
    FilePermissions(mode: mode & Self.mode(other.mode, of: other.group, in: group), group: group)
  }

  /// Returns the permissions for a file with these permissions that receives the content of another file.
  ///
  /// The file's group keeps its permissions. The exception is a file that would give all other users more
  /// permissions than the other file does.
  package func holding(contentOf other: FilePermissions) -> FilePermissions {
    mode & 0o006 & ~other.mode == 0 ? self : intersection(other)
  }

  /// The mode for creating a file. Its owner may write it, even if the owner may not write the original.
  package var ofFile: mode_t { mode & 0o666 | 0o600 }

  /// The mode for creating a folder of such files. A user who may read the files may also list and enter the folder.
  package var ofFolder: mode_t { ofFile | (ofFile & 0o444) >> 2 }

  /// Removes the permissions that these do not allow from a new file or folder.
  ///
  /// The file gets the group of these permissions if the system lets this user change it. Otherwise the file's group
  /// gets only those permissions that all other users have too.
  ///
  /// - Throws: a `FileFailure` when the permissions cannot be changed.
  package func limit(_ made: Descriptor) throws {
    let status = try made.status()
    let isHandedOver = status.st_gid == group || fchown(made.number, uid_t.max, group) == 0
    let allowed = (status.st_mode & S_IFMT) == S_IFDIR ? ofFolder : ofFile
    try limit(status, to: allowed, in: isHandedOver ? group : status.st_gid, path: made.path) {
      fchmod(made.number, $0)
    }
  }

  /// Removes the permissions that these do not allow from the file at a path, without opening it.
  ///
  /// - Throws: a `FileFailure` when there is no file, or its permissions cannot be changed.
  package func limit(fileAt path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    try limit(status, to: ofFile, in: status.st_gid, path: path) { chmod(path, $0) }
  }

  /// Sets the permissions of a file that this user owns to these.
  ///
  /// The file gets the group of these permissions if the system lets this user change it. Otherwise the file's group
  /// gets only those permissions that all other users have too.
  ///
  /// - Throws: a `FileFailure` when there is no file, or its permissions cannot be changed.
  package func give(toFileAt path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    let isHandedOver = status.st_gid == group || chown(path, uid_t.max, group) == 0
    if chmod(path, Self.mode(mode, of: group, in: isHandedOver ? group : status.st_gid)) == 0 { return }
    // A file system without permissions refuses the change even to the owner.
    if errno == EPERM, status.st_uid == geteuid() { return }
    throw FileFailure(path: path)
  }

  private func limit(
    _ status: stat,
    to allowed: mode_t,
    in owningGroup: gid_t,
    path: String,
    _ change: (mode_t) -> Int32
  ) throws {
    let excess = status.st_mode & 0o666 & ~Self.mode(allowed, of: group, in: owningGroup)
    if excess == 0 { return }
    // A user who may not list a folder does not need to enter it.
    let execution = (status.st_mode & S_IFMT) == S_IFDIR ? (excess & 0o444) >> 2 : 0
    if change(status.st_mode & 0o7777 & ~(excess | execution)) == 0 { return }
    // A file system without permissions refuses the change even to the owner.
    if errno == EPERM, status.st_uid == geteuid() { return }
    throw FileFailure(path: path)
  }

  /// Returns a mode for a file of another group. To the first group, the members of the other group are "other users".
  private static func mode(_ mode: mode_t, of group: gid_t, in other: gid_t) -> mode_t {
    group == other ? mode : mode & (0o707 | (mode & 0o007) << 3)
  }
}
