import CoreData
import Files
import Foundation
import Seeding

/// A store that is not opened, whose metadata are read without its model.
enum ClosedStore {
  static func metadata(of path: String) throws -> [String: Any] {
    let kind = FileKind(behind: path)
    guard kind == .regular || kind == .hidden else {
      throw CommandFailure(
        path,
        kind == .nothing ? "there is no such store" : "this is \(kind.words)",
        remedy: "give the path of a store"
      )
    }
    do {
      return try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: StoreFileType(of: path).storeType,
        at: URL(fileURLWithPath: path),
        options: nil
      )
    } catch {
      throw failure(path, error)
    }
  }

  /// Core Data's error in one line that names the file once.
  static func failure(_ path: String, _ error: any Error) -> CommandFailure {
    let words = ErrorWords.describe(error)
    return words.contains(path) ? CommandFailure(words) : CommandFailure(path, words)
  }
}
