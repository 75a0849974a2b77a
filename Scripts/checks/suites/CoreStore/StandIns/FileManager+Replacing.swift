import Foundation

extension FileManager {
  /// Moves an item to the place of another item, which is deleted.
  func replaceItem(
    at place: URL,
    withItemAt item: URL,
    backupItemName: String?,
    options: FileManager.ItemReplacementOptions,
    resultingItemURL: Never?
  ) throws {
    if fileExists(atPath: place.path) { try removeItem(at: place) }
    try moveItem(at: item, to: place)
  }
}
