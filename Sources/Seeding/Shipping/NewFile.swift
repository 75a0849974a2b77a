import Files
package import Foundation

/// A file that is whole, and is to be put where nothing may be yet.
package struct NewFile {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Puts the file at a place of the same volume, in one step that replaces nothing: of several
  /// processes that do so at once, one succeeds. The file is gone from where it was.
  /// - Returns: False, and nothing is changed, when there is something at the place.
  /// - Throws: A `FileFailure`, as ``FilePlacing/putIfAbsent(_:at:)`` throws it, or when the file
  ///   cannot be synchronised before.
  package func put(at place: URL) throws -> Bool {
    try FilePlacing.synchronizeFile(url.path)
    return try FilePlacing.putIfAbsent(url.path, at: place.path)
  }
}
