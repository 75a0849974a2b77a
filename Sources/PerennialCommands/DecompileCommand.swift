import ArgumentParser
import Foundation
import ModelFormats
import Seeding

/// `perennial decompile OUT.momd -o MODEL.xcdatamodeld`
struct DecompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decompile",
    abstract: "Make an .xcdatamodeld of a compiled model.",
    discussion: """
      What the XML of a model has no place for is listed on standard error. A package that is there already is replaced.
      """
  )

  @Argument(help: "The compiled model: a .momd or .mom.")
  var model: String

  @Option(name: [.customShort("o"), .long], help: "The .xcdatamodeld to write.")
  var output: String

  func validate() throws {
    guard ["momd", "mom"].contains(URL(fileURLWithPath: model).pathExtension) else {
      throw ValidationError("MODEL has to end in .momd or .mom.")
    }
    guard URL(fileURLWithPath: output).pathExtension == "xcdatamodeld" else {
      throw ValidationError("--output has to end in .xcdatamodeld.")
    }
  }

  func run() throws {
    try CommandFailure.reporting {
      let url = URL(fileURLWithPath: model)
      var current = url.deletingPathExtension().lastPathComponent
      var files = [(name: current, url: url)]
      if url.pathExtension == "momd" {
        let package = try CompiledModelPackage(contentsOf: url)
        current = try package.currentVersion().name
        files = package.versions.map { ($0.name, $0.url) }
      }
      let versions = try files.map { (name: $0.name, document: try ModelDocument(contentsOf: $0.url)) }
      try ModelPackage.write(versions, current: current, to: URL(fileURLWithPath: output))
      for (name, document) in versions {
        for part in document.inexpressibleParts {
          FileHandle.standardError.write(Data("left out of \(name): \(part)".onOneLine.utf8 + [0x0A]))
        }
      }
      print("\(output): \(versions.map(\.name).joined(separator: ", ")); current: \(current)")
    }
  }
}
