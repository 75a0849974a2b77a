package import Foundation

/// The kind of file at a path. ``init(at:)`` does not follow a symbolic link.
package enum FileKind: Sendable {
  case nothing, regular, folder, link, device, pipe, socket
  /// A file whose status this user may not read.
  case hidden

  package init(at path: String) {
    var status = stat()
    self = lstat(path, &status) == 0 ? FileKind(status) : Self.none(errno)
  }

  /// Reads the kind of the file that a path leads to. Symbolic links are followed.
  package init(resolving path: String) {
    var status = stat()
    self = stat(path, &status) == 0 ? FileKind(status) : Self.none(errno)
  }

  package init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  private static func none(_ code: Int32) -> FileKind { code == ENOENT || code == ENOTDIR ? .nothing : .hidden }

  /// The kind in words, for messages.
  package var words: String {
    switch self {
    case .nothing: "nothing"
    case .regular: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .device: "a device"
    case .pipe: "a named pipe"
    case .socket: "a socket"
    case .hidden: "something that this user may not look at"
    }
  }
}
