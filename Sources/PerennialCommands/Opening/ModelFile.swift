import CoreData
import Files
import Foundation
import ModelFormats

/// A model on disk that the user named: `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
struct ModelFile {
  static let extensions = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

  /// The path as the user wrote it.
  let path: String

  init(_ path: String) { self.path = path }

  private var url: URL { URL(fileURLWithPath: path) }

  /// The model, or the current version of a package.
  func currentModel() throws -> NSManagedObjectModel {
    try checkPath()
    return try Self.read(url, shownAs: path)
  }

  /// The version of the model that a store was made with; nil if the file does not contain it.
  func model(of metadata: [String: Any]) throws -> NSManagedObjectModel? {
    let current = try currentModel()
    if current.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return current }
    for version in versions {
      guard let model = Self.searching({ NSManagedObjectModel(contentsOf: version) }) else { continue }
      if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return model }
    }
    return nil
  }

  /// Searches models for the one of a store. Warnings about other models are suppressed.
  static func searching<Result>(_ search: () throws -> Result) rethrows -> Result {
    #if canImport(Darwin)
      try search()
    #else
      try ModelWarnings.searching(search)
    #endif
  }

  private func checkPath() throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw CommandFailure(file: path, problem: "there is no such model", remedy: "check the path")
    }
    try Self.checkKind(path)
  }

  /// True for a path with the extension of a model, and for an `.omo`, for which ``checkKind(_:)`` has a message.
  static func isModel(_ path: String) -> Bool {
    let suffix = URL(fileURLWithPath: path).pathExtension
    return extensions.contains(suffix) || suffix == "omo"
  }

  /// - Throws: a failure for a file whose name does not have the extension of a model.
  static func checkKind(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    if extensions.contains(url.pathExtension) { return }
    if url.pathExtension == "omo" {
      let model = url.deletingPathExtension().appendingPathExtension("mom").lastPathComponent
      throw CommandFailure(
        file: path,
        problem: "this is an optimized copy of a compiled model, which only Apple's framework reads",
        remedy: "give the \(model) next to it, or the .momd that both are in"
      )
    }
    throw CommandFailure(
      file: path,
      problem: "this is not a model",
      remedy: "give one that ends in .\(extensions.joined(separator: ", ."))"
    )
  }

  private var versions: [URL] {
    let suffix = url.pathExtension == "momd" ? ".mom" : ".xcdatamodel"
    guard ["momd", "xcdatamodeld"].contains(url.pathExtension) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { url.appendingPathComponent($0) }
  }

  /// Reads a model. If Core Data cannot read it, the model reader gives the reason.
  private static func read(_ url: URL, shownAs path: String) throws -> NSManagedObjectModel {
    if let model = NSManagedObjectModel(contentsOf: url) { return model }
    if url.pathExtension.hasPrefix("xcdatamodel") {
      do {
        try ModelDocument(contentsOf: url).check(file: path)
      } catch {
        throw CommandFailure(error.description)
      }
    }
    throw CommandFailure(file: path, problem: "the model cannot be read", remedy: "compile it anew")
  }
}

/// Looks for a store's model in the folder of the store.
enum ModelSearch {
  struct Found {
    let path: String
    let model: NSManagedObjectModel
  }

  /// The first model next to the store, by name, with a version that the store was made with.
  static func adjacent(to store: StoreLocation, metadata: [String: Any]) -> Found? {
    // A store on a server has no local folder to search.
    if store.isOnServer { return nil }
    let folder = FilePlacing.folder(of: store.description)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where ModelFile.extensions.contains((name as NSString).pathExtension) {
      let path = folder == "." ? name : (folder as NSString).appendingPathComponent(name)
      let model = try? ModelFile.searching { try ModelFile(path).model(of: metadata) }
      if let model { return Found(path: path, model: model) }
    }
    return nil
  }
}
