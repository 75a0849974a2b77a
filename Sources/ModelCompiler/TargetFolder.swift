import Files
import Foundation

/// A folder with the sources and models of one target, whose accessors, members and compiled models
/// are committed in place of being made by the plugin.
package struct TargetFolder {
  /// The name of the target's module.
  package let module: String
  /// The files to be made, and the sources and models to make them from.
  package private(set) var compilation: ModelCompilation
  private let output: String

  /// Finds the sources and models below a folder, as the package manager does.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - module: the name of the module; `nil` for the one that the package manager makes of the
  ///     folder's name.
  ///   - excluded: files and folders that the target excludes, by their paths in the folder.
  ///   - output: the folder to generate into; `nil` for `Generated` in the target's folder.
  /// - Throws: `CompilationError` when there is no such folder, or nothing in it to generate from.
  package init(
    path: String,
    module: String? = nil,
    excluding excluded: [String] = [],
    output: String? = nil
  ) throws(CompilationError) {
    let folder = Self.withoutSlash(path)
    guard FileKind(behind: folder) == .folder else {
      throw CompilationError(
        file: folder,
        message: "there is no such folder; name the one of the target's sources"
      )
    }
    let module = module ?? Self.moduleName(ofFolder: folder)
    let output = output.map(Self.withoutSlash) ?? "\(folder)/Generated"
    let excluded = excluded.map { "\(folder)/\(Self.withoutSlash($0))" }
    let paths = SourceModule.paths(below: folder).filter { path in
      !excluded.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    var compilation = ModelCompilation(module: module, output: "\(output)/\(module)+CoreDataModel.swift")
    compilation.purpose = .commit
    let isSame = Self.sameFile(as: compilation.output)
    compilation.sources = paths.filter { $0.hasSuffix(".swift") && !isSame($0) }
    compilation.models = paths.filter(ModelSources.isModel).map { model in
      .init(source: model, output: Self.compiled(model, suffix: "momd", in: output))
    }
    compilation.mappings = paths.filter { $0.hasSuffix(".xcmappingmodel") }.map { mapping in
      .init(source: mapping, output: Self.compiled(mapping, suffix: "cdm", in: output))
    }
    if compilation.sources.isEmpty, compilation.models.isEmpty {
      throw CompilationError(
        file: folder,
        message: "there is no Swift file and no model below the folder; name the one of the target's sources"
      )
    }
    self.module = module
    self.output = output
    self.compilation = compilation
  }

  /// The folders of the sources of other modules, by their names.
  package var dependencies: [(module: String, folder: String)] {
    get { compilation.dependencies }
    set { compilation.dependencies = newValue }
  }

  /// The compiled models in the folder that is generated into which no model of the target makes.
  /// They may be somebody's own, and stay.
  package var strays: [String] {
    let outputs = Set(compilation.models.map(\.output) + compilation.mappings.map(\.output))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
    return names.sorted().filter { $0.hasSuffix(".momd") || $0.hasSuffix(".cdm") }
      .map { "\(output)/\($0)" }.filter { !outputs.contains($0) }
  }

  /// The name of the module that the package manager makes of a target in a folder of that name.
  package static func moduleName(ofFolder path: String) -> String {
    let name = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.lastPathComponent
    let letters = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
    return letters.first?.isNumber == true ? "_" + String(letters.dropFirst()) : String(letters)
  }

  private static func compiled(_ model: String, suffix: String, in output: String) -> String {
    let name = URL(fileURLWithPath: model).deletingPathExtension().lastPathComponent
    return "\(output)/\(name).\(suffix)"
  }

  /// Tells whether a path leads to the same file as another, however either is written.
  private static func sameFile(as path: String) -> (String) -> Bool {
    let canonical = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path == canonical }
  }

  private static func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? withoutSlash(String(path.dropLast())) : path
  }
}
