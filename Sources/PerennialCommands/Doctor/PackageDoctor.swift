#if !canImport(Darwin)
  import Foundation

  /// Examines the manifest and the models of a Swift package.
  struct PackageDoctor {
    let folder: String

    private static let manifestName = "Package.swift"

    /// Returns true when the path is the folder of a package.
    static func isPackage(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(manifestName)") }

    var diagnoses: [Diagnosis] {
      let models = models
      if models.isEmpty { return [.note("package", words: "\(folder): there is no model in the package")] }
      return [ofManifest] + models.flatMap { ModelDoctor(path: $0).diagnoses }
    }

    private var ofManifest: Diagnosis {
      let path = "\(folder)/\(Self.manifestName)"
      guard let manifest = try? String(contentsOfFile: path, encoding: .utf8) else {
        return .wrong("package", words: "\(path) cannot be read as UTF-8", remedy: "correct the file")
      }
      if manifest.contains("CoreDataModelPlugin") {
        return .right("package", words: "\(folder): a target uses CoreDataModelPlugin, which compiles the models")
      }
      return .note(
        "package",
        words:
          "\(folder): no target uses CoreDataModelPlugin; without it, `perennial compile` and `perennial generate` do its work"
      )
    }

    /// The models of the package, in order. Hidden folders such as `.build` are left out.
    private var models: [String] {
      let url = URL(fileURLWithPath: folder)
      let found = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      var paths: [String] = []
      while let file = found?.nextObject() as? URL {
        guard ["xcdatamodeld", "xcdatamodel"].contains(file.pathExtension) else { continue }
        paths.append(file.path)
        // The versions of a model are examined together with it.
        found?.skipDescendants()
      }
      return paths.sorted()
    }
  }
#endif
