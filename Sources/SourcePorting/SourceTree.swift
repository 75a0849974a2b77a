import Files
import Foundation

/// Finds, reads and writes the Swift files in files and folders.
package enum SourceTree {
  /// A problem with a path, and the remedy.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var problem: String

    package var description: String { "\(path): \(problem)" }
  }

  /// The paths of the files, in the order of the given paths. A folder gives all `.swift` files in it,
  /// sorted by name. Hidden folders, such as those of builds, are left out.
  ///
  /// - Throws: ``Failure`` for a path that does not exist, and for a file that is not a Swift source, not a
  ///   regular file, or too large.
  package static func files(in paths: [String]) throws(Failure) -> [String] {
    var files: [String] = []
    var seen: Set<Identity> = []
    for path in paths {
      guard let status = Status(of: path) else {
        throw Failure(path: path, problem: "there is no such file or folder; check the path")
      }
      if status.isFolder {
        files += try swiftFiles(inFolder: path, status: status, seen: &seen)
      } else if path.hasSuffix(".swift") {
        try check(status, path: path)
        files.append(path)
      } else {
        throw Failure(path: path, problem: "this is not a Swift file; give .swift files, or folders")
      }
    }
    var known: Set<String> = []
    return files.filter { known.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
  }

  /// The paths of the models in the given folders, sorted by name. Hidden folders are left out.
  package static func models(in paths: [String]) -> [String] {
    var seen: Set<Identity> = []
    return paths.flatMap { models(at: $0, seen: &seen) }
  }

  private static func models(at path: String, seen: inout Set<Identity>) -> [String] {
    guard let status = Status(of: path), status.isFolder, seen.insert(status.identity).inserted else { return [] }
    if [".xcdatamodeld", ".xcdatamodel"].contains(where: { path.hasSuffix($0) }) { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().filter { !$0.hasPrefix(".") }
      .flatMap { models(at: (path as NSString).appendingPathComponent($0), seen: &seen) }
  }

  /// Reads the text of a source.
  ///
  /// - Throws: ``Failure`` when the file cannot be read, is too large or is not UTF-8.
  package static func read(_ path: String) throws(Failure) -> String {
    guard let status = Status(of: path) else {
      throw Failure(path: path, problem: "there is no such file any more; port again")
    }
    try check(status, path: path)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(path: path, problem: "the file cannot be read; check its permissions")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(path: path, problem: "the file is not UTF-8; Swift sources have to be")
    }
    return text
  }

  /// Replaces the text of a file, completely or not at all.
  ///
  /// - Throws: ``Failure`` when the file cannot be written.
  package static func write(_ text: String, to path: String) throws(Failure) {
    do {
      try FileOutput.write(Data(text.utf8), to: URL(fileURLWithPath: path))
    } catch {
      throw Failure(path: path, problem: "the file cannot be written: \(error.localizedDescription)")
    }
  }

  /// The largest source, in bytes. Its syntax tree takes a multiple of that size.
  private static let largestFile = 16 << 20

  /// The identity of a folder, which is the same for all paths to it.
  private struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  /// The status of the file or folder that a path leads to, through symbolic links.
  private struct Status {
    let isFolder: Bool
    let isRegular: Bool
    let size: Int64
    let identity: Identity

    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      isFolder = status.st_mode & S_IFMT == S_IFDIR
      isRegular = status.st_mode & S_IFMT == S_IFREG
      size = Int64(status.st_size)
      identity = Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino)
      )
    }
  }

  /// Checks that a file can be read as a source.
  ///
  /// - Throws: ``Failure`` for a file that would block the reader, is endless, or is too large for a syntax tree.
  private static func check(_ status: Status, path: String) throws(Failure) {
    guard status.isRegular else {
      throw Failure(path: path, problem: "this is not a regular file; give .swift files, or folders")
    }
    guard status.size <= largestFile else {
      throw Failure(path: path, problem: "the file has more than \(largestFile) bytes; split it")
    }
  }

  /// - Parameter seen: The folders that were searched already, because symbolic links may lead to a folder
  ///   again or form a cycle.
  private static func swiftFiles(
    inFolder folder: String,
    status: Status,
    seen: inout Set<Identity>
  ) throws(Failure) -> [String] {
    guard seen.insert(status.identity).inserted else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = (folder as NSString).appendingPathComponent(name)
      guard let status = Status(of: path) else { continue }
      if status.isFolder {
        files += try swiftFiles(inFolder: path, status: status, seen: &seen)
      } else if name.hasSuffix(".swift") {
        try check(status, path: path)
        files.append(path)
      }
    }
    return files
  }
}
