import Foundation

/// The folders with the resources of targets that SwiftPM puts next to a program, such as `garden_GardenKit.resources`.
///
/// A build has the folders of all its targets in one place: those of the program's targets, and
/// those of other programs and of tests. A resource that is found only by its name must not come
/// from a target that the program does not contain.
package struct ResourceFolders {
  /// The folder that the program lies in.
  let folder: URL
  /// The name of the program.
  let program: String
  /// The modules of the program's types. They are determined when a folder needs them.
  let modules: () -> Set<String>

  /// The folders next to the running program.
  package static var ofProgram: ResourceFolders {
    ResourceFolders(
      folder: Bundle.main.bundleURL,
      program: Bundle.main.executableURL?.lastPathComponent ?? "",
      modules: LoadedClasses.modules
    )
  }

  /// The folder of the program's own target. A program that runs tests has the targets of several bundles of tests,
  /// whose classes' bundle is the main one here: it has the folders of all targets that it contains.
  var own: [URL] {
    if program.hasSuffix(".xctest") { return contained }
    return all.filter(isOfProgram)
  }

  /// True for the folder of the target that has the program's name: it may be without types.
  private func isOfProgram(_ folder: URL) -> Bool {
    folder.deletingPathExtension().lastPathComponent.hasSuffix("_\(program)")
  }

  /// The folders of all targets that the program contains, by path.
  var contained: [URL] { all.filter(isContained) }

  /// Tells whether a folder has the resources of a target that the program contains.
  package func isContained(_ folder: URL) -> Bool {
    isOfProgram(folder) || Self.module(ofFolder: folder, among: modules()) != nil
  }

  /// The folders of the targets of a module, of which there is one for each package that has such a target.
  func folders(ofModule module: String) -> [URL] {
    all.filter { Self.module(ofFolder: $0, among: [module]) != nil }
  }

  /// The folders of all targets, by path.
  var all: [URL] { FolderList.entries(of: folder).filter(Self.isResourceFolder) }

  static func isResourceFolder(_ url: URL) -> Bool { ["resources", "bundle"].contains(url.pathExtension) }

  /// The module whose target's resources a file is among; `nil` for a file elsewhere, and where the
  /// program has no types of the module.
  static func module(ofFile url: URL, among modules: () -> Set<String>) -> String? {
    var folder = url.deletingLastPathComponent().standardizedFileURL
    while folder.pathComponents.count > 1 {
      if isResourceFolder(folder) { return module(ofFolder: folder, among: modules()) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The module of the target that a folder has the resources of. The folder is named after the
  /// package and the target, with an underscore between them. Either name may have underscores
  /// itself, so the longest name of a module at the end counts.
  static func module(ofFolder folder: URL, among modules: Set<String>) -> String? {
    var rest = Substring(folder.deletingPathExtension().lastPathComponent)
    while let underscore = rest.firstIndex(of: "_") {
      rest = rest[rest.index(after: underscore)...]
      let name = moduleName(ofTarget: rest)
      if modules.contains(name) { return name }
    }
    return nil
  }

  /// The name that the package manager gives to the module of a target.
  private static func moduleName(ofTarget name: Substring) -> String {
    let letters = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
    return letters.first?.isNumber == true ? "_" + String(letters.dropFirst()) : String(letters)
  }
}

/// The contents of a folder.
enum FolderList {
  /// The files and folders in a folder, by path; none where there is no such folder.
  static func entries(of folder: URL) -> [URL] {
    let urls = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    return (urls ?? []).sorted { $0.path < $1.path }
  }
}
