import Foundation

/// A module whose sources are available: the target itself, or one of its dependencies.
final class SourceModule {
  let name: String
  private let contents: () throws -> Contents

  private struct Contents {
    var paths: [String]
    var models: ModelSources
    /// True to skip files that were generated to be committed, because the models contain all of their declarations.
    var passesOverCommitted = false
  }

  init(name: String, files: [String], models: ModelSources = ModelSources()) {
    self.name = name
    contents = { Contents(paths: files, models: models) }
  }

  /// A module with all Swift files and all models below a folder.
  init(name: String, folder: String) {
    self.name = name
    contents = {
      let paths = Self.paths(below: folder)
      return Contents(
        paths: paths.filter { $0.hasSuffix(".swift") },
        models: ModelSources(readable: paths.filter(ModelSources.isModel)),
        passesOverCommitted: true
      )
    }
  }

  /// The models below a folder.
  static func models(below folder: String) -> [String] { paths(below: folder).filter(ModelSources.isModel) }

  /// The sorted paths of all files and folders below a folder.
  static func paths(below folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }

  /// The files, which are read at the first use, and a file with the classes that the build generates from the models.
  private(set) lazy var files: Result<[SourceFile], any Error> = Result {
    let contents = try contents()
    let generated = contents.models.generatedClasses(module: name)
    let file = SourceFile(path: "", source: Array(generated.utf8), module: self, isGenerated: true)
    let files = try contents.paths.map { try SourceFile(path: $0, module: self) }
    return files.filter { !($0.isCommitted && contents.passesOverCommitted) } + [file]
  }

  private lazy var filesByName: [String: [SourceFile]] = {
    var index: [String: [SourceFile]] = [:]
    for file in (try? files.get()) ?? [] {
      for name in file.declaredNames { index[name, default: []].append(file) }
    }
    return index
  }()

  private var declarations: [String: [Declaration]] = [:]

  /// All types and type aliases with a name, at any depth.
  func declarations(named name: String) -> [Declaration] {
    if let known = declarations[name] { return known }
    var found: [Declaration] = []
    for file in filesByName[name] ?? [] {
      for declaration in file.contents.declarations { Self.collect(declaration, name: name, found: &found) }
    }
    declarations[name] = found
    return found
  }

  private static func collect(_ declaration: Declaration, name: String, found: inout [Declaration]) {
    if declaration.name == name { found.append(declaration) }
    for member in declaration.members { collect(member, name: name, found: &found) }
  }
}
