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
      paths that it names, in the folders around it.
      """
  )

  @Argument(
    help: "The model: an .xcdatamodeld or .xcdatamodel; or an .xcmappingmodel.",
    completion: .modelSources
  )
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
        warn: { FileHandle.standardError.write(Data("warning: \($0)".onOneLine.utf8 + [0x0A])) }
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
      let url = given.map { URL(fileURLWithPath: $0) } ?? path.flatMap(version)
      used += url.map { [$0.path] } ?? []
      return url
    }
    try FileOutput.write(data, to: URL(fileURLWithPath: output))
    print("\(output): from \(used.first ?? ""), to \(used.last ?? "")")
  }

  /// A version at the path that it has in Xcode's project, whose folder lies around the mapping
  /// model.
  private func version(atProjectPath path: String) -> URL? {
    if path.hasPrefix("/") { return nil }
    var folder = URL(fileURLWithPath: model).standardizedFileURL
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      let found = folder.appendingPathComponent(path)
      if FileKind(behind: found.path) == .folder { return found }
    }
    return nil
  }
}
