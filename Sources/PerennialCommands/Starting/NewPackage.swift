import Files
import Foundation

/// A new package with a model, a seed, a program and a test, in its own folder.
struct NewPackage {
  let name: PackageName
  let origin: PackageOrigin

  /// The contents of the files, by their paths in the folder.
  var files: [String: String] {
    let texts = PackageTexts(name: name.text, origin: origin)
    let sources = "Sources/\(name)"
    let model = "\(sources)/\(name).xcdatamodeld"
    return [
      ".gitignore": PackageTexts.ignored,
      "Package.swift": texts.manifest,
      "\(model)/.xccurrentversion": texts.currentVersion,
      "\(model)/\(name).xcdatamodel/contents": PackageTexts.model,
      "\(sources)/Model.swift": texts.classes,
      "\(sources)/Notebook.swift": texts.notebook,
      "\(sources)/Program.swift": texts.program,
      "\(sources)/seed.json": PackageTexts.seed,
      "Tests/\(name)Tests/NotebookTests.swift": texts.tests,
    ]
  }

  /// Writes the package into a folder of its name in the working folder, completely or not at all.
  ///
  /// - Throws: a `CommandFailure` when something of that name exists already, or the folder cannot be written.
  func write() throws {
    let place = name.text
    let hidden = ".\(place)-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: hidden) }
    let isPlaced: Bool
    do {
      for (path, text) in files.sorted(by: { $0.key < $1.key }) {
        let file = "\(hidden)/\(path)"
        try FileManager.default.createDirectory(atPath: FilePlacing.folder(of: file), withIntermediateDirectories: true)
        try FileOutput.write(Data(text.utf8), to: URL(fileURLWithPath: file))
      }
      isPlaced = try FilePlacing.putFolderIfAbsent(hidden, at: place)
    } catch {
      throw CommandFailure(
        file: place,
        problem: "the package cannot be written here: \(error.localizedDescription)",
        remedy: "go to a folder that can be written"
      )
    }
    guard isPlaced else {
      throw CommandFailure(
        file: place,
        problem: FileKind(at: place) == .folder
          ? "there is a folder of that name, and something is in it"
          : "there is \(FileKind(at: place).words) of that name",
        remedy: "give another name, or move it away"
      )
    }
  }
}
