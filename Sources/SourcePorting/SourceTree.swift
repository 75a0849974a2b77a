import Files
import Foundation

/// The Swift files in files and folders.
package enum SourceTree {
  /// What is wrong with a path, and what to do.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var problem: String

    package var description: String { "\(path): \(problem)" }
  }

  /// The paths of the files, in the order of the paths given; of a folder, all `.swift` files in it, by name. Hidden
  /// folders, such as those of builds, are left out.
  package static func files(in paths: [String]) throws(Failure) -> [String] {
    var files: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw Failure(path: path, problem: "there is no such file or folder; check the path")
      }
      if isFolder.boolValue {
        files += swiftFiles(inFolder: path)
      } else if path.hasSuffix(".swift") {
        files.append(path)
      } else {
        throw Failure(path: path, problem: "this is no Swift file; give files that end in .swift, or folders")
      }
    }
    var known: Set<String> = []
    return files.filter { known.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
  }

  /// The text of a file.
  package static func read(_ path: String) throws(Failure) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(path: path, problem: "the file cannot be read; check its permissions")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(path: path, problem: "the file is no UTF-8; Swift sources have to be")
    }
    return text
  }

  /// Puts a text in the place of a file's, whole or not at all.
  package static func write(_ text: String, to path: String) throws(Failure) {
    do {
      try FileOutput.write(Data(text.utf8), to: URL(fileURLWithPath: path))
    } catch {
      throw Failure(path: path, problem: "the file cannot be written: \(error.localizedDescription)")
    }
  }

  private static func swiftFiles(inFolder folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
      let path = (folder as NSString).appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
      if isFolder.boolValue { return swiftFiles(inFolder: path) }
      return name.hasSuffix(".swift") ? [path] : []
    }
  }
}
