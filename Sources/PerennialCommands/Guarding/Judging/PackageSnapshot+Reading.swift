import Foundation

extension PackageSnapshot {
  /// The largest part of a file that is read, in bytes. The XML of any model is smaller.
  private static let largest = 100 << 20

  /// Reads the package that is on disk.
  ///
  /// - Parameter path: the path for messages.
  /// - Throws: a ``GuardDoubt`` when a file cannot be read.
  init(onDisk path: String) throws {
    var files: [String: Data] = [:]
    var folders: Set<String> = []
    func read(_ name: String) throws {
      let url = URL(fileURLWithPath: path).appendingPathComponent(name)
      do {
        let size = (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue
        guard let size, size <= Self.largest else {
          throw GuardDoubt(problem: "\(path)/\(name): the file is too large for a model", remedy: "restore it")
        }
        files[name] = try Data(contentsOf: url)
      } catch let doubt as GuardDoubt {
        throw doubt
      } catch {
        throw GuardDoubt(
          problem: "\(path)/\(name): the file cannot be read (\(error.localizedDescription))",
          remedy: "check its permissions"
        )
      }
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw GuardDoubt(
        problem: "\(path): the folder cannot be read (\(error.localizedDescription))",
        remedy: "check its permissions"
      )
    }
    for name in names {
      if name == Self.currentFile {
        try read(name)
        continue
      }
      let folder = URL(fileURLWithPath: path).appendingPathComponent(name).path
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
        continue
      }
      folders.insert(name)
      let inner = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in ["contents", "elements"] where inner.contains(file) { try read("\(name)/\(file)") }
    }
    self.init(path: path, files: files, folders: folders)
  }

  /// Reads the package from a commit.
  ///
  /// - Parameters:
  ///   - repositoryPath: the package's path relative to the top of the repository.
  ///   - reference: the user's name for the commit.
  /// - Returns: nil when the commit does not contain the package.
  init?(_ repositoryPath: String, at commit: String, called reference: String, in repository: GitRepository)
    throws
  {
    let entries = try repository.files(of: commit, in: repositoryPath)
    if entries.isEmpty { return nil }
    let start = repositoryPath.count + 1
    let wanted = entries.filter { entry in
      let name = entry.path.dropFirst(start)
      let isOfVersion =
        name.split(separator: "/").count == 2
        && (name.hasSuffix("/contents") || name.hasSuffix("/elements"))
      return entry.isFile && (name == Self.currentFile || isOfVersion)
    }
    let contents = try repository.contents(of: wanted)
    let folders = entries.compactMap { entry -> String? in
      let parts = entry.path.dropFirst(start).split(separator: "/")
      return parts.count > 1 ? String(parts[0]) : nil
    }
    self.init(
      path: "\(reference):\(repositoryPath)",
      files: Dictionary(contents.map { (String($0.key.dropFirst(start)), $0.value) }) { first, _ in first },
      folders: Set(folders)
    )
  }
}
