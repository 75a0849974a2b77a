import Files
package import Foundation

/// A complete file to be put at a path where no file may exist yet.
package struct NewFile {
  private let url: URL

  package init(_ url: URL) { self.url = url }

  /// Moves the file to a path of the same volume, in one step that replaces nothing: of several
  /// processes that do so at once, one succeeds. The file no longer exists at its old path.
  /// - Returns: False, without a change, if a file exists at the path.
  /// - Throws: A `FileFailure`, as ``FilePlacing/putIfAbsent(_:at:)`` throws it, or when the file
  ///   cannot be synchronised before.
  package func put(at place: URL) throws -> Bool {
    try FilePlacing.synchronizeFile(url.path)
    return try FilePlacing.putIfAbsent(url.path, at: place.path)
  }
}
