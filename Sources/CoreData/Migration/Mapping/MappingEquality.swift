import Foundation

/// Compares what mapping models, and the mappings in them, say.
enum MappingEquality {
  /// Returns true when two lists have equal mappings in the same order; a list that is missing is an empty one.
  static func holds<Mapping: NSObject>(_ mappings: [Mapping]?, and others: [Mapping]?) -> Bool {
    (mappings ?? []).elementsEqual(others ?? []) { $0.isEqual($1) }
  }

  /// Returns true when two dictionaries of user info have equal values under the same keys; one that is missing is an empty one.
  static func holds(_ userInfo: [AnyHashable: Any]?, and other: [AnyHashable: Any]?) -> Bool {
    NSDictionary(dictionary: userInfo ?? [:]).isEqual(to: other ?? [:])
  }
}
