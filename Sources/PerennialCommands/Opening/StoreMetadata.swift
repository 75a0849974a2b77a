import CoreData
import Foundation
import Seeding

/// What a store says of itself without its model.
enum StoreMetadata {
  static func read(_ path: String) throws -> [String: Any] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
      throw CommandFailure(
        path,
        isFolder.boolValue ? "this is a folder" : "there is no such store",
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
