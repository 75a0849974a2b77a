import Foundation

/// Writes what the program opens at run time for a model.
enum ModelOutput {
  static func write(_ model: ModelCompilation.Model) throws {
    let manager = FileManager.default
    var kept: Set<String> = []
    for name in try files(in: model.source) {
      guard let data = manager.contents(atPath: "\(model.source)/\(name)") else { continue }
      try OutputFile.write(data, to: "\(model.output)/\(name)")
      kept.insert(name)
    }
    for name in try files(in: model.output) where !kept.contains(name) {
      try manager.removeItem(atPath: "\(model.output)/\(name)")
    }
  }

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
  }
}
