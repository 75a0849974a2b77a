package import Foundation

/// A file that is whole, and is to be put where nothing may be yet.
package struct NewFile {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Puts the file at a place of the same volume, in one step that replaces nothing: of several processes that do so
  /// at once, one succeeds. The file is gone from where it was.
  /// - Returns: False, and nothing is changed, when there is something at the place.
  package func put(at place: URL) throws -> Bool {
    let files = FileManager.default
    do {
      // A second name for the file, which the system refuses where there is a file of that name.
      try files.linkItem(at: url, to: place)
    } catch {
      guard !Self.isThere(place) else { return false }
      // File systems without hard links, such as FAT.
      do {
        try files.moveItem(at: url, to: place)
      } catch {
        if Self.isThere(place) { return false }
        throw error
      }
      return true
    }
    try files.removeItem(at: url)
    return true
  }

  /// Whether there is anything, be it a link that leads nowhere.
  private static func isThere(_ place: URL) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: place.path)) != nil
  }
}
