import Files
import Foundation

/// The list of the files that one transaction has created, which no row names before its commit.
///
/// It is a file next to the folder of large values. A transaction writes the name of each file into it before the file
/// is made, and removes it when it is committed, or when its files are removed. A process that is killed in between
/// leaves it. Without it, each opening would have to go through all rows that may name a file, and would not know a
/// file that was left from one whose database is on its way.
struct ExternalDataMarker: Sendable {
  fileprivate static let prefix = "writing-"

  let name: String
  fileprivate let file: Descriptor
}

extension ExternalDataFolder {
  /// Writes the name of a file that is about to be made into the marker of its transaction.
  ///
  /// - Parameters:
  ///   - marker: `nil` before the first file, for which the marker is created.
  ///   - permissions: the permissions of a new marker; `nil` for the process's default.
  func note(_ name: String, by marker: inout ExternalDataMarker?, permissions: FilePermissions?) throws {
    let present = try marker ?? makeMarker(permissions)
    marker = present
    try present.file.write(Data("\(name)\n".utf8))
  }

  private func makeMarker(_ permissions: FilePermissions?) throws -> ExternalDataMarker {
    let parent = try Descriptor(path: support.deletingLastPathComponent().path, flags: O_RDONLY | O_DIRECTORY)
    let folder = try Self.folder(support.lastPathComponent, in: parent, permissions: permissions)
    let name = ExternalDataMarker.prefix + UUID().uuidString
    let file = try folder.entry(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: permissions?.ofFile ?? 0o666)
    try permissions?.limit(file)
    return ExternalDataMarker(name: name, file: file)
  }

  /// The names of the markers that are there.
  var markers: [String] {
    // A link in the folder's place leads to files that are not the store's.
    guard FileKind(at: support.path) == .folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: support.path)) ?? []
    let prefix = ExternalDataMarker.prefix
    return names.filter { $0.hasPrefix(prefix) && Self.isName(String($0.dropFirst(prefix.count))) }
  }

  /// The names of files that are in a marker, of which the last one may be cut off.
  ///
  /// - Throws: a `FileFailure` when it cannot be read.
  func names(in marker: String) throws -> [String] {
    let file = try openSupport().entry(marker, flags: O_RDONLY | O_NONBLOCK)
    let status = try file.status()
    guard FileKind(status) == .regular else { throw FileFailure(path: file.path, code: EINVAL) }
    guard status.st_size <= Self.largestMarker else { throw FileFailure(path: file.path, code: EFBIG) }
    var data = Data()
    while data.count <= Self.largestMarker {
      let part = try file.read(upTo: 1 << 16)
      if part.isEmpty { break }
      data.append(part)
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).filter(Self.isName)
  }

  /// In bytes: the names of more than a million files.
  private static let largestMarker = 64 << 20

  /// Removes markers. One that cannot be removed has the store looked through when it is opened.
  func unmark(_ names: [String]) {
    guard !names.isEmpty, let folder = try? openSupport() else { return }
    for name in names { unlinkat(folder.number, name, 0) }
  }

  private func openSupport() throws -> Descriptor {
    try Descriptor(path: support.deletingLastPathComponent().path, flags: O_RDONLY | O_DIRECTORY)
      .entry(support.lastPathComponent, flags: O_RDONLY | O_DIRECTORY)
  }

  /// Removes the files of a transaction that is rolled back.
  func remove(new files: SQLiteFileChanges) {
    remove(files.new)
    unmark(files.markers)
  }
}
