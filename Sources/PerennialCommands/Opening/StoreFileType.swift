import ArgumentParser
import CoreData
import Foundation

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
    let handle = FileHandle(forReadingAtPath: path)
    let start = (try? handle?.read(upToCount: 8)) ?? Data()
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
