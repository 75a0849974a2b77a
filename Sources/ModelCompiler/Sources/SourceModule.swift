import Foundation

/// A module whose sources can be read: the target itself, or a target that it depends on.
final class SourceModule {
  let name: String
  private let paths: () -> [String]

  init(name: String, files: [String]) {
    self.name = name
    paths = { files }
  }

  /// A module with all Swift files below a folder.
  init(name: String, folder: String) {
    self.name = name
    paths = {
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// The files, which are read at the first use.
  private(set) lazy var files: Result<[SourceFile], any Error> = Result {
    try paths().map { try SourceFile(path: $0, module: self) }
  }

  private lazy var filesByName: [String: [SourceFile]] = {
    var index: [String: [SourceFile]] = [:]
    for file in (try? files.get()) ?? [] {
      for name in file.declaredNames { index[name, default: []].append(file) }
    }
    return index
  }()

  private var declarations: [String: [Declaration]] = [:]

  /// All types and type aliases of a name, at whatever depth.
  func declarations(named name: String) -> [Declaration] {
    if let known = declarations[name] { return known }
    var found: [Declaration] = []
    for file in filesByName[name] ?? [] {
      for declaration in file.contents.declarations { Self.collect(declaration, name, &found) }
    }
    declarations[name] = found
    return found
  }

  private static func collect(_ declaration: Declaration, _ name: String, _ found: inout [Declaration]) {
    if declaration.name == name { found.append(declaration) }
    for member in declaration.members { collect(member, name, &found) }
  }
}
