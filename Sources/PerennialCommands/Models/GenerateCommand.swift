import ArgumentParser
import Foundation
import ModelCompiler
import ModelFormats
import SourcePorting
import Texts

/// `perennial generate MODEL -o FOLDER`, `perennial generate --accessors FOLDER`
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write the subclasses of NSManagedObject that a model's entities name.",
    usage: "perennial generate [<options>] [<model>]",
    discussion: """
      As Xcode does, it writes CLASS+CoreDataClass.swift and CLASS+CoreDataProperties.swift for each entity with a \
      class of its own; what needs Objective-C is in #if canImport(ObjectiveC). A class file that is there already is \
      yours and stays as it is; the properties are written anew.

      With --accessors it writes what CoreDataModelPlugin would make for a target, into the target's folder Generated \
      unless -o names another. Committed there, it takes the place of the plugin.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(name: [.customShort("o"), .long], help: "The folder to write into; made if need be.", completion: .directory)
  var output: String?

  @Option(
    name: .customLong("entity"),
    help: "An entity to write the class of; may be given more than once.",
    completion: .entities
  )
  var entities: [String] = []

  @Option(help: "Write the classes of this module only; with --accessors, the name of the target's module.")
  var module: String?

  @Flag(help: "Write class files anew as well.") var force = false
  @OptionGroup(title: "Committed in place of the plugin") var target: TargetGeneration

  func validate() throws {
    if target.folder != nil {
      if model != nil { throw ValidationError("Give a model or --accessors FOLDER, and not both.") }
      if !entities.isEmpty || force { throw ValidationError("--entity and --force go with a model.") }
    } else {
      if model == nil { throw ValidationError("Give a model, or --accessors FOLDER.") }
      if output == nil { throw ValidationError("Give the folder to write into: -o FOLDER.") }
    }
  }

  func run() throws {
    try CommandFailure.reporting {
      if let folder = target.folder { return try target.run(folder, module: module, output: output) }
      if let model, let output { try writeClasses(of: model, into: output) }
    }
  }

  private func writeClasses(of model: String, into output: String) throws {
    let document = try ValidModelDocument.read(model)
    let files = try subclassFiles(of: document, model: model)
    for name in builtEntities(document) {
      let warning = """
        \(model): the build generates code for the entity \(name) as well; choose "Manual/None" as its code \
        generation
        """
      FileHandle.standardError.write(Data(warning.onOneLine.utf8 + [0x0A]))
    }
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in SubclassFile.portable(files) {
      let path = (output as NSString).appendingPathComponent(file.name)
      let isRetained = file.isForAuthors && !force && FileManager.default.fileExists(atPath: path)
      if !isRetained { try SourceTree.write(file.text, to: path) }
      print("\(path): \(isRetained ? "kept" : "written")")
    }
  }

  private func subclassFiles(of document: ModelDocument, model: String) throws -> [SubclassFile] {
    do {
      let files = try SubclassFile.files(of: document, entities: entities, module: module)
      guard files.isEmpty else { return files }
    } catch {
      throw CommandFailure("\(model): \(error.description)")
    }
    throw CommandFailure(
      file: model,
      problem: "no entity has a class \(module.map { "of the module \($0)" } ?? "of its own")",
      remedy: "set the classes in the model"
    )
  }

  /// The chosen entities for which the build already generates code.
  private func builtEntities(_ document: ModelDocument) -> [String] {
    let chosen = document.entities.filter { entities.isEmpty || entities.contains($0.name) }
    return chosen.filter { $0.codeGeneration != nil }.map(\.name)
  }
}

extension SubclassFile {
  /// The files, rewritten so that they compile with and without Objective-C.
  fileprivate static func portable(_ files: [SubclassFile]) -> [SubclassFile] {
    let ported = SourcePorter(sources: files.map { ($0.name, $0.text) }).port()
    return zip(files, ported).map { file, ported in
      var file = file
      file.text = ported.text
      return file
    }
  }
}
