import ArgumentParser
import Foundation
import ModelFormats
import Seeding

/// `perennial compile MODEL -o OUT.momd`
struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile a model into a .momd.",
    discussion: """
      Each version becomes a .mom; VersionInfo.plist names the current one and has the version hashes. A .momd that is \
      there already is replaced.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld or .xcdatamodel.")
  var model: String

  @Option(name: [.customShort("o"), .long], help: "The .momd to write.")
  var output: String

  @Option(help: "The module that the model is built into, for class names that begin with a dot.")
  var module: String?

  func validate() throws {
    guard ["xcdatamodeld", "xcdatamodel"].contains(URL(fileURLWithPath: model).pathExtension) else {
      throw ValidationError("MODEL has to end in .xcdatamodeld or .xcdatamodel.")
    }
    guard URL(fileURLWithPath: output).pathExtension == "momd" else {
      throw ValidationError("--output has to end in .momd.")
    }
  }

  func run() throws {
    try CommandFailure.reporting {
      let package = try CompiledModelPackage.compile(
        URL(fileURLWithPath: model),
        to: URL(fileURLWithPath: output),
        module: module,
        sha256: Digests.sha256,
        warn: { FileHandle.standardError.write(Data("warning: \($0)".onOneLine.utf8 + [0x0A])) }
      )
      let versions = package.versions.map(\.name).joined(separator: ", ")
      print("\(output): \(versions); current: \(package.declaredCurrentVersion ?? "none")")
    }
  }
}
