import Foundation
import ModelFormats

@testable import PerennialCommands

extension PlantedMistake {
  private static func folder(
    _ name: String,
    _ code: GuardFinding.Code,
    _ severity: GuardFinding.Severity = .error,
    _ plant: @escaping @Sendable (GuardedPackage) throws -> Bool
  ) -> Self {
    Self(name: name, code: code, severity: severity, plant: plant)
  }

  /// A version that is not the current one.
  private static func other(_ package: GuardedPackage) -> String? {
    package.versions.first { $0 != package.current }
  }

  private static let files = FileManager.default

  /// Mistakes with the folders, and with the file that names the current version.
  static let folders = [
    folder("a released version is deleted", .deletedVersion) { package in
      guard let version = other(package) else { return false }
      try files.removeItem(at: package.version(version))
      return true
    },
    folder("the folder of a released version is renamed", .renamedVersion) { package in
      guard try !package.document(of: package.current).entities.isEmpty else { return false }
      try files.moveItem(at: package.version(package.current), to: package.version("Planted"))
      try package.setCurrent("Planted")
      return true
    },
    folder("the current version is rolled back", .rolledBack) { package in
      let place = package.versions.firstIndex(of: package.current) ?? 0
      guard place > 0 else { return false }
      try package.setCurrent(package.versions[place - 1])
      return true
    },
    folder("a version that is not in the package is named as current", .missingCurrentVersion) { package in
      try package.setCurrent("Planted")
      return true
    },
    folder("the file that names the current version is deleted", .unnamedCurrentVersion) { package in
      guard package.versions.count > 1 else { return false }
      try files.removeItem(at: package.after.appendingPathComponent(".xccurrentversion"))
      return true
    },
    folder("the file that names the current version has marks of a merge", .unnamedCurrentVersion) {
      package in
      try Data("<<<<<<< HEAD\n=======\n>>>>>>> other\n".utf8)
        .write(to: package.after.appendingPathComponent(".xccurrentversion"))
      return true
    },
    folder("the file that names the current version loses the name", .unnamedCurrentVersion) { package in
      try package.setCurrent(nil)
      return true
    },
    folder("a new version is added and not made current", .forgottenCurrentVersion) { package in
      let name = "\(package.versions.last ?? "") 1000000"
      try files.copyItem(at: package.version(package.current), to: package.version(name))
      return true
    },
    folder("a new version lies in a folder without the ending", .unlistedFolder) { package in
      let folder = package.after.appendingPathComponent("Planted")
      try files.copyItem(at: package.version(package.current), to: folder)
      return true
    },
    folder("a new version has a name that comes before the others", .orderOfNames, .warning) { package in
      try files.copyItem(at: package.version(package.current), to: package.version("!Planted"))
      try package.setCurrent("!Planted")
      return true
    },
    folder("the file of a version is cut off", .unreadableVersion) { package in
      let file = package.version(package.current).appendingPathComponent("contents")
      let data = try Data(contentsOf: file)
      try data.prefix(data.count / 2).write(to: file)
      return true
    },
    folder("the file of a version has marks of a merge", .unreadableVersion) { package in
      let file = package.version(package.current).appendingPathComponent("contents")
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(text.replacing("</model>", with: "<<<<<<< HEAD\n</model>\n>>>>>>> other").utf8).write(to: file)
      return text.contains("</model>")
    },
    folder("the file of a version is missing", .unreadableVersion) { package in
      try files.removeItem(at: package.version(package.current).appendingPathComponent("contents"))
      return true
    },
    folder("an inverse leads to a relationship that is gone", .unreadableVersion) { package in
      var document = try package.document(of: package.current)
      guard document.change(relationship: { $0.inverseName != nil }, { $0.inverseName = "planted" }) else {
        return false
      }
      try package.write(document, to: package.current)
      return true
    },
  ]
}
