import ArgumentParser
import Foundation
import ModelFormats
import Texts

/// `perennial decompile OUT.momd|STORE -o MODEL.xcdatamodeld`
struct DecompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decompile",
    abstract: "Make an .xcdatamodeld of a compiled model, or of the one in a store.",
    discussion: """
      What the XML of a model has no place for is listed on standard error. A package that is there already is replaced.
      """
  )

  @Argument(
    help:
      "The compiled model: a .momd or .mom, or a store that has its model in it: SQLite, or postgresql://….",
    completion: .modelAndStoreFiles
  )
  var model: String

  @Option(name: [.customShort("o"), .long], help: "The .xcdatamodeld to write.", completion: .file())
  var output: String

  func validate() throws {
    if ["xcdatamodeld", "xcdatamodel"].contains(URL(fileURLWithPath: model).pathExtension) {
      throw ValidationError("MODEL is not compiled; give a .momd, a .mom or a store.")
    }
    guard URL(fileURLWithPath: output).pathExtension == "xcdatamodeld" else {
      throw ValidationError("--output has to end in .xcdatamodeld.")
    }
  }

  func run() throws {
    try CommandFailure.reporting {
      let (versions, current, isNamed) = try versions()
      try ModelPackage.write(versions, current: isNamed ? current : nil, to: URL(fileURLWithPath: output))
      for (name, document) in versions {
        for part in document.inexpressibleParts {
          FileHandle.standardError.write(Data("left out of \(name): \(part)".onOneLine.utf8 + [0x0A]))
        }
      }
      print("\(output): \(versions.map(\.name).joined(separator: ", ")); current: \(current)")
    }
  }

  /// All versions of the model, the current version, and whether the package names it. A compiled package
  /// with one version may omit the name, and the source is then written without it too.
  private func versions() throws -> ([(name: String, document: ModelDocument)], current: String, isNamed: Bool) {
    let store = StoreLocation(path: model)
    if store.isOnServer { return ([("Model", try CachedModel.document(store))], "Model", true) }
    let url = store.url
    let name = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension {
    case "momd":
      let package = try CompiledModelPackage(contentsOf: url)
      let versions = try package.versions.map { ($0.name, try ModelDocument(contentsOf: $0.url)) }
      return (versions, try package.currentVersion().name, package.declaredCurrentVersion != nil)
    case "omo":
      try ModelFile.checkKind(model)
      fallthrough
    case "mom": return ([(name, try ModelDocument(contentsOf: url))], name, true)
    default: return ([(name, try CachedModel.document(store))], name, true)
    }
  }
}
