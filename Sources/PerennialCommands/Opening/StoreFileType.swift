import ArgumentParser
import CoreData
import Files
import Foundation
import Seeding

/// The type of a store in a file.
enum StoreFileType: String, CaseIterable, ExpressibleByArgument {
  case sqlite
  case xml
  case binary

  /// The type that the file name extension of a new store implies.
  init(name: String) { self = Self(rawValue: (name as NSString).pathExtension.lowercased()) ?? .sqlite }

  /// The type of an existing store, by the beginning of the file; SQLite when the beginning matches no type.
  init(of path: String) {
    let start = StoreFileStart.read(path, count: 8)
    if start.starts(with: Data("<?xml".utf8)) {
      self = .xml
    } else if start.starts(with: Data("bplist".utf8)) {
      self = .binary
    } else {
      self = .sqlite
    }
  }

  /// Core Data's constant for the type.
  var storeType: String {
    switch self {
    case .sqlite: NSSQLiteStoreType
    // Apple's framework does not have XML stores on iOS.
    case .xml: "XML"
    case .binary: NSBinaryStoreType
    }
  }
}

/// Reads the metadata of a store without opening it and without its model.
enum ClosedStore {
  /// - Parameter options: the store options, which limit the wait for other programs.
  static func metadata(of store: StoreLocation, options: [AnyHashable: Any] = [:]) throws -> [String: Any] {
    try store.check()
    let kind = store.isOnServer ? .regular : FileKind(resolving: store.url.path)
    guard kind == .regular || kind == .hidden else {
      throw CommandFailure(
        store: store,
        problem: kind == .nothing ? "there is no such store" : "this is \(kind.words)",
        remedy: "give the path of a store"
      )
    }
    do {
      return try store.withoutReadTraces {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: store.storeType,
          at: store.url,
          options: options
        )
      }
    } catch {
      throw failure(store, error: error)
    }
  }

  /// Core Data's error as one line that names the store once.
  static func failure(_ store: StoreLocation, error: any Error) -> CommandFailure {
    if let failure = error as? CommandFailure { return failure }
    let path = store.description
    let words = ErrorWords.describe(error)
    return words.contains(path)
      ? CommandFailure(words, cause: error) : CommandFailure(file: path, problem: words, cause: error)
  }
}
