import Foundation

/// The files and folders below a folder, by path.
struct FolderContents {
  private(set) var files: [String: Data] = [:]
  private(set) var folders: Set<String> = []

  init(_ folder: URL) throws {
    let names = FileManager.default.enumerator(atPath: folder.path)
    while let path = names?.nextObject() as? String {
      let file = folder.appendingPathComponent(path)
      if names?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
        folders.insert(path)
      } else {
        files[path] = try Data(contentsOf: file)
      }
    }
  }
}
