import Files
import Foundation

/// The place from which a new package gets perennial, for its manifest.
struct PackageOrigin: Equatable {
  /// The declaration of the dependency in the manifest, without traits.
  let dependency: String
  /// The package name by which targets refer to products of the dependency.
  let package: String
  /// The place for messages.
  let shown: String

  /// - Parameter place: a URL, or the path of a folder, which must also be reachable from the new package.
  /// - Throws: a `CommandFailure` for a folder that does not contain this package.
  init(_ place: String) throws {
    if Self.isURL(place) {
      try self.init(url: place)
    } else {
      try self.init(folder: place)
    }
  }

  /// The default place: the checkout in which the command was built, or else the folder `perennial` in the working folder.
  ///
  /// - Parameter executable: the file of the command.
  /// - Throws: a `CommandFailure` when neither exists.
  init(findingFrom executable: URL?) throws {
    if let checkout = executable.flatMap(Self.checkout) {
      try self.init(folder: checkout)
    } else if Self.isPerennial("perennial") {
      try self.init(folder: "perennial")
    } else {
      throw CommandFailure(
        "this command was not built in a checkout of perennial, and there is none next to the new package; "
          + "say where perennial is, with --perennial URL or --perennial FOLDER"
      )
    }
  }

  private init(url: String) throws {
    let path = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    let last = path.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? ""
    let name = (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
    guard !name.isEmpty, name.wholeMatch(of: /[a-z0-9._-]+/) != nil else {
      throw CommandFailure(
        file: url,
        problem: "this is not a URL of a repository",
        remedy: "give one such as https://example.com/perennial"
      )
    }
    package = name
    shown = url
    let version =
      PerennialVersion.isUnreleased ? "branch: \"main\"" : "from: \"\(PerennialVersion.current)\""
    dependency = "url: \(Self.literal(url)), \(version)"
  }

  private init(folder: String) throws {
    guard Self.isPerennial(folder) else {
      throw CommandFailure(
        file: folder,
        problem: "there is no package perennial in this folder",
        remedy: "give the folder of a checkout, with its Package.swift, or a URL"
      )
    }
    package = "perennial"
    shown = folder
    // The new package lies one folder below the working folder, which relative paths start from.
    let path = folder.hasPrefix("/") ? folder : folder == "." ? ".." : "../\(folder)"
    dependency = "name: \"perennial\", path: \(Self.literal(path))"
  }

  private static func isURL(_ place: String) -> Bool {
    place.contains("://") || place.prefixMatch(of: /[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:/) != nil
  }

  /// The folder that contains the program and has this package's manifest.
  private static func checkout(around executable: URL) -> String? {
    var folder = executable.resolvingSymlinksInPath()
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      if isPerennial(folder.path) { return folder.path }
    }
    return nil
  }

  /// The largest manifest that is read, in bytes.
  private static let largestManifest = 1_000_000

  private static func isPerennial(_ folder: String) -> Bool {
    let manifest = "\(folder)/Package.swift"
    guard FileKind(resolving: manifest) == .regular,
      let file = FileHandle(forReadingAtPath: manifest),
      let data = try? file.read(upToCount: largestManifest)
    else { return false }
    let text = String(decoding: data, as: UTF8.self)
    return text.contains("name: \"perennial\"") && text.contains("name: \"CoreDataModelPlugin\"")
      && text.contains("name: \"ModelCompilerTool\"")
  }

  /// A text as a Swift string literal.
  static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case " "..."~": String(scalar)
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(escaped.joined())\""
  }
}
