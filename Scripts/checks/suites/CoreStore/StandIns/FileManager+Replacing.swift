import Foundation

extension FileManager {
  /// Moves an item into the place of another.
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
