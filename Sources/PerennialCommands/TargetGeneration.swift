import ArgumentParser
import Files
import Foundation
import ModelCompiler

/// `perennial generate --accessors FOLDER`: writes the files that the plugin would generate for a target, so
/// that they can be committed.
struct TargetGeneration: ParsableArguments {
  @Option(
    name: .customLong("accessors"),
    help: """
      The folder of a target. In place of classes, all that the plugin makes for the target is written, to be \
      committed: accessors of @NSManaged, members by name, classes, compiled models.
      """,
    completion: .directory
  )
  var folder: String?

  @Option(
    name: .customLong("dependency"),
    help: """
      With --accessors: the folder of a target that the target depends on, as MODULE=FOLDER where the module is not \
      named as the folder is; may be given more than once.
      """,
    completion: .directory
  )
  var dependencies: [String] = []

  @Option(
    name: .customLong("exclude"),
    help:
      "With --accessors: a file or folder in the folder that the target excludes; may be given more than once."
  )
  var excluded: [String] = []

  @Flag(help: "With --accessors: write nothing, and fail with the name of each file that is not up to date.")
  var check = false

  /// - Throws: a failure for options that have a meaning only with a folder.
  func validate() throws {
    if folder == nil, check || !dependencies.isEmpty || !excluded.isEmpty {
      throw ValidationError("--check, --dependency and --exclude go with --accessors FOLDER.")
    }
  }

  /// Writes the files to commit, or checks that they are up to date.
  ///
  /// - Parameters:
  ///   - folder: the folder of the target.
  ///   - module: the name of the module, if it differs from the folder's name.
  ///   - output: the folder for the files.
  /// - Throws: `CommandFailure` when the target contains errors, or its files are not up to date.
  func run(_ folder: String, module: String?, output: String?) throws {
    let (target, compiled) = try compile(folder, module: module, output: output)
    for problem in compiled.errors.dropLast() + compiled.warnings { warn("\(problem)") }
    if let last = compiled.errors.last { throw CommandFailure("\(last)") }
    if check { return try compare(target, compiled: compiled, folder: folder) }
    let outdated = compiled.differences
    try compiled.write()
    for path in compiled.paths {
      print("\(path): \(outdated.contains { $0.path == path } ? "written" : "unchanged")")
    }
    for leftover in outdated where leftover.kind == .leftover { print("\(leftover.path): removed") }
    for path in target.strays { warn("\(path): \(Self.strayWords)") }
  }

  private func compile(_ folder: String, module: String?, output: String?) throws -> (TargetFolder, CompiledTarget) {
    do {
      var target = try TargetFolder(path: folder, module: module, excluding: excluded, output: output)
      target.dependencies = try dependencies.map(Self.dependency)
      return (target, try target.compilation.compiled())
    } catch let error as CompilationError {
      throw CommandFailure(file: error.file, problem: error.message)
    }
  }

  private static func dependency(_ text: String) throws -> (module: String, folder: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let folder = parts.last ?? ""
    guard FileKind(resolving: folder) == .folder else {
      throw CommandFailure(
        file: folder,
        problem: "there is no such folder",
        remedy: "name the sources of a target that it depends on"
      )
    }
    return (parts.count == 2 ? parts[0] : TargetFolder.moduleName(ofFolder: folder), folder)
  }

  private func compare(_ target: TargetFolder, compiled: CompiledTarget, folder: String) throws {
    let differences = compiled.differences.map { "\($0.path): \($0.kind.words)" }
    let strays = target.strays.map { "\($0): \(Self.strayWords)" }
    let lines = differences + strays
    if lines.isEmpty { return print("\(folder): up to date") }
    for line in lines { print(line) }
    throw CommandFailure(
      file: folder,
      problem:
        "\(lines.count == 1 ? "1 file is" : "\(lines.count) files are") not as the sources and models say",
      remedy: "run it without --check, and commit what it writes"
    )
  }

  private static let strayWords = "no model of the target makes it; remove it"
}

extension CompiledTarget.Difference.Kind {
  fileprivate var words: String {
    switch self {
    case .missing: "missing"
    case .outdated: "out of date"
    case .leftover: "no model has this version any more"
    }
  }
}
