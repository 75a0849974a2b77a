import Foundation

@testable import ModelCompiler

/// Runs the model compiler on sources that a test contains.
struct Compilation {
  var errors: [CompilationError]
  /// Findings that do not fail the build.
  var warnings: [CompilationError]
  /// The generated file; empty when there are errors.
  var text: String
  /// The compiled model files, by path below the folder of the generated file.
  var modelFiles: [String: Data] = [:]

  /// - Parameters:
  ///   - sources: texts by file name.
  ///   - models: texts of `contents` files by the name of the model.
  ///   - dependencies: texts by file name, by module.
  init(
    _ sources: [String: String],
    models: [String: String] = [:],
    dependencies: [String: [String: String]] = [:]
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelCompilerTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appendingPathComponent("Output.swift")
    var compilation = ModelCompilation(module: "App", output: output.path)
    for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
      compilation.sources.append(try Self.write(text, to: folder.appendingPathComponent("App/\(name)")))
    }
    for (name, text) in models.sorted(by: { $0.key < $1.key }) {
      let model = folder.appendingPathComponent("App/\(name).xcdatamodel")
      try Self.write(text, to: model.appendingPathComponent("contents"))
      compilation.models.append(
        .init(source: model.path, output: folder.appendingPathComponent("\(name).momd").path)
      )
    }
    for (module, files) in dependencies {
      let sources = folder.appendingPathComponent(module)
      for (name, text) in files { try Self.write(text, to: sources.appendingPathComponent(name)) }
      compilation.dependencies.append((module: module, folder: sources.path))
    }
    let prefix = folder.path + "/App/"
    let found = try compilation.run().map { error in
      var error = error
      error.file = error.file.replacingOccurrences(of: prefix, with: "")
      error.message = error.message.replacingOccurrences(of: prefix, with: "")
      return error
    }
    errors = found.filter { !$0.isWarning }
    warnings = found.filter(\.isWarning)
    for model in models.keys where errors.isEmpty {
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(model).momd") {
        let path = "\(model).momd/\(file)"
        modelFiles[path] = try Data(contentsOf: folder.appendingPathComponent(path))
      }
    }
    text = errors.isEmpty ? try String(contentsOf: output, encoding: .utf8) : ""
  }

  /// Compiles one file with managed objects.
  init(_ source: String, dependencies: [String: [String: String]] = [:]) throws {
    try self.init(["Note.swift": "import CoreData\n" + source], dependencies: dependencies)
  }

  /// The symbols of the generated accessors.
  var symbols: [String] { text.matches(of: #/@_silgen_name\("([^"]+)"\)/#).map { String($0.1) } }

  @discardableResult
  private static func write(_ text: String, to url: URL) throws -> String {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try text.write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }
}
