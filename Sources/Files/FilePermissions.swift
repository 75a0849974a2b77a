package import Foundation

/// The permissions of a file, for what is made from it: no user may read a copy who may not read the original.
package struct FilePermissions: Hashable, Sendable {
  private let mode: mode_t
  private let group: gid_t

  private init(mode: mode_t, group: gid_t) {
    (self.mode, self.group) = (mode & 0o777, group)
  }

  /// The permissions of the file or folder that a path leads to; `nil` where there is nothing, or the system does
  /// not tell.
  package init?(behind path: String) {
    // Not opened: closing a database drops the locks that the process has on it.
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode, group: status.st_gid)
  }

  /// The permissions that these and others allow.
  package func intersection(_ other: FilePermissions) -> FilePermissions {
    FilePermissions(mode: mode & Self.mode(other.mode, of: other.group, in: group), group: group)
  }

  /// The permissions of a file with these that takes the content of another one over. Its group keeps what it may do,
  /// unless all others would be able to do more than with the other file.
  package func holding(contentOf other: FilePermissions) -> FilePermissions {
    mode & 0o006 & ~other.mode == 0 ? self : intersection(other)
  }

  /// The mode with which a file is created. Its owner may write it, unlike the original perhaps.
  package var ofFile: mode_t { mode & 0o666 | 0o600 }

  /// The mode with which a folder of such files is created: a user who may read them may list it.
  package var ofFolder: mode_t { ofFile | (ofFile & 0o444) >> 2 }

  /// Takes from a new file or folder what these permissions do not allow. It gets their group, where the system lets
  /// this user hand it over; else the group of the file may do what all others may.
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

  /// Takes from the file at a path what these permissions do not allow, without opening it.
  ///
  /// - Throws: a `FileFailure` when there is nothing, or its permissions cannot be changed.
  package func limit(fileAt path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    try limit(status, to: ofFile, in: status.st_gid, path: path) { chmod(path, $0) }
  }

  /// Gives a file of this user's these permissions. It gets their group, where the system lets this user hand it over;
  /// else the group of the file may do what all others may.
  ///
  /// - Throws: a `FileFailure` when there is nothing, or its permissions cannot be changed.
  package func give(toFileAt path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    let isHandedOver = status.st_gid == group || chown(path, uid_t.max, group) == 0
    if chmod(path, Self.mode(mode, of: group, in: isHandedOver ? group : status.st_gid)) == 0 { return }
    // The owner is refused where the file system has no permissions.
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
    // A user who may not list a folder need not enter it.
    let execution = (status.st_mode & S_IFMT) == S_IFDIR ? (excess & 0o444) >> 2 : 0
    if change(status.st_mode & 0o7777 & ~(excess | execution)) == 0 { return }
    // The owner is refused where the file system has no permissions.
    if errno == EPERM, status.st_uid == geteuid() { return }
    throw FileFailure(path: path)
  }

  /// A mode in a file of another group: the members of that are others to the first one.
  private static func mode(_ mode: mode_t, of group: gid_t, in other: gid_t) -> mode_t {
    group == other ? mode : mode & (0o707 | (mode & 0o007) << 3)
  }
}
