package import Foundation

/// The classes of the objects in a keyed archive, read without making instances of them.
package enum ArchivedClassNames {
  /// The names of the classes of the root object and, where it is a collection of Foundation's, of what is in it.
  ///
  /// Objects that others encode for themselves are not looked into. Strings and numbers that the archive holds as values
  /// of their own have no class.
  ///
  /// - Throws: `ModelFileError` when the data is no archive with one root object.
  package static func read(_ data: Data) throws(ModelFileError) -> Set<String> {
    let archive = try KeyedArchive(data, file: nil)
    var names: Set<String> = []
    var seen: Set<Int> = []
    var pending = [archive.root]
    while let uid = pending.popLast() {
      guard seen.insert(uid).inserted, let instance = try archive.instance(uid) else { continue }
      names.insert(instance.className)
      guard collections.contains(instance.className) else { continue }
      pending += try instance.elements() + instance.elements("NS.keys")
    }
    return names
  }

  private static let collections: Set = [
    "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet",
    "NSOrderedSet",
    "NSMutableOrderedSet",
  ]
}
