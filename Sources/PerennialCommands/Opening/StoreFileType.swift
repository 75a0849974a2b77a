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

  /// The type that the name of a new store means.
  init(name: String) {
    self = Self(rawValue: (name as NSString).pathExtension.lowercased()) ?? .sqlite
  }

  /// The type of the store that is at a place, by how the file begins; SQLite when it tells
  /// nothing.
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

  /// The constant of Core Data.
  var storeType: String {
    switch self {
    case .sqlite: NSSQLiteStoreType
    // Apple's framework has no XML stores on phones.
    case .xml: "XML"
    case .binary: NSBinaryStoreType
    }
  }
}

/// A store that is not opened, whose metadata are read without its model.
enum ClosedStore {
  /// - Parameter options: the options of the store, for the time that it waits for others.
  static func metadata(of store: StoreLocation, options: [AnyHashable: Any] = [:]) throws -> [String: Any] {
    try store.check()
    let kind = store.isOnServer ? .regular : FileKind(behind: store.url.path)
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

  /// Core Data's error in one line that names the store once.
  static func failure(_ store: StoreLocation, error: any Error) -> CommandFailure {
    if let failure = error as? CommandFailure { return failure }
    let path = store.description
    let words = ErrorWords.describe(error)
    return words.contains(path)
      ? CommandFailure(words, cause: error) : CommandFailure(file: path, problem: words, cause: error)
  }
}
