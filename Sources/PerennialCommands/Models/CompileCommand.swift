import ArgumentParser
import Files
import Foundation
import ModelFormats
import Texts

/// `perennial compile MODEL -o OUT.momd`, `perennial compile MAPPING -o OUT.cdm`
struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile a model into a .momd, or a mapping model into a .cdm.",
    usage: "perennial compile --output <output> [<options>] <model>",
    discussion: """
      Each version of a model becomes a .mom; VersionInfo.plist names the current one and has the version hashes. A .momd \
      that is there already is replaced, and so is a .cdm. The two versions that a mapping model is for are looked for at the \
      paths that it names, in the folders around it; where folders were renamed, by the names of model and version.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld or .xcdatamodel; or an .xcmappingmodel.", completion: .modelSources)
  var model: String

  @Option(
    name: [.customShort("o"), .long],
    help: "The .momd to write; for a mapping model the .cdm.",
    completion: .file()
  )
  var output: String

  @Option(help: "The module that the model is built into, for class names that begin with a dot.")
  var module: String?

  @Option(
    name: .customLong("from"),
    help: "The version that a mapping model leads from, if it is elsewhere.",
    completion: .modelFiles
  )
  var older: String?

  @Option(
    name: .customLong("to"),
    help: "The version that a mapping model leads to, if it is elsewhere.",
    completion: .modelFiles
  )
  var newer: String?

  private var isMapping: Bool { URL(fileURLWithPath: model).pathExtension == "xcmappingmodel" }

  func validate() throws {
    let suffix = URL(fileURLWithPath: output).pathExtension
    if isMapping {
      guard suffix == "cdm" else { throw ValidationError("--output has to end in .cdm for a mapping model.") }
      guard module == nil else {
        throw ValidationError("--module is for models; mapping models name classes in full.")
      }
      return
    }
    guard ["xcdatamodeld", "xcdatamodel"].contains(URL(fileURLWithPath: model).pathExtension) else {
      throw ValidationError("MODEL has to end in .xcdatamodeld, .xcdatamodel or .xcmappingmodel.")
    }
    guard suffix == "momd" else { throw ValidationError("--output has to end in .momd.") }
    guard older == nil, newer == nil else { throw ValidationError("--from and --to are for mapping models.") }
  }

  func run() throws {
    try CommandFailure.reporting {
      if isMapping { return try compileMapping() }
      let package = try CompiledModelPackage.compile(
        URL(fileURLWithPath: model),
        to: URL(fileURLWithPath: output),
        module: module,
        warn: warn
      )
      let versions = package.versions.map(\.name).joined(separator: ", ")
      print("\(output): \(versions); current: \(package.declaredCurrentVersion ?? "none")")
    }
  }

  private func compileMapping() throws {
    let package = try MappingPackage(contentsOf: URL(fileURLWithPath: model))
    var used: [String] = []
    let data = try package.compiled { (side, path) throws(ModelFileError) in
      let given = side == .source ? older : newer
      let url =
        given.map { URL(fileURLWithPath: $0) }
        ?? path.flatMap { MappingPackage.version(atProjectPath: $0, around: URL(fileURLWithPath: model)) }
      used += url.map { [$0.path] } ?? []
      return url
    }
    package.warnings.forEach(warn)
    try FileOutput.write(data, to: URL(fileURLWithPath: output))
    print("\(output): from \(used.first ?? ""), to \(used.last ?? "")")
  }

  private func warn(_ warning: ModelFileError) {
    FileHandle.standardError.write(Data("warning: \(warning)".onOneLine.utf8 + [0x0A]))
  }
}
