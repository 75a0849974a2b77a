package import Foundation

/// Keyed archives (`NSKeyedArchiver`) of Foundation's plain objects, read and written without Foundation's coders.
///
/// Linux Foundation's `NSKeyedUnarchiver` stops the program for an object without its contents,
/// dictionaries with more keys than values, and classes that were not expected. It recurses for
/// ever where an object holds itself. Its `NSKeyedArchiver` stops the program for decimal numbers.
package enum SafeKeyedArchive {
  /// The contents of an archive.
  package enum Content {
    /// Plain objects, created from the archive.
    case plain(NSObject)
    /// The archive also has objects of other classes. The plain objects among them are complete, do
    /// not contain themselves, and fulfil the limits on number and depth.
    ///
    /// - Parameters:
    ///   - outer: the names of the classes of the root and, where that is a collection, of what is in it.
    ///   - all: these names, and the classes of the objects that they contain.
    case mixed(outer: Set<String>, all: Set<String>)
  }

  /// The reason why an archive cannot be read or written.
  package struct Failure: Error {
    package let problem: String
  }

  /// Reads an archive.
  ///
  /// - Throws: ``Failure`` for data that is not an archive, and for an archive that is damaged or malicious.
  package static func read(_ data: Data) throws(Failure) -> Content {
    do {
      let archive = try KeyedArchive(data, file: nil, kind: "keyed archive")
      var reader = SafeKeyedArchiveReader(archive, byteCount: data.count)
      return try reader.read()
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(problem: (error as? ModelFileError)?.problem ?? "\(error)")
    }
  }

  /// The archive of a plain object; `nil` for one that is not plain, or holds another that is not.
  ///
  /// Equal objects give the same bytes, as long as the keys of dictionaries and the members of sets
  /// are texts or numbers.
  ///
  /// - Throws: ``Failure`` for objects that are nested too deep to be read back.
  package static func data(of object: Any) throws(Failure) -> Data? {
    var writer = SafeKeyedArchiveWriter()
    return try writer.data(of: object)
  }
}
