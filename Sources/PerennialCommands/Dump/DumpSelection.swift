import CoreData
import Foundation

/// The selection of the objects that a dump has.
struct DumpSelection {
  enum Roots {
    case all
    /// One object, by its entity and the values of its natural key.
    case object(NSEntityDescription, key: [String])
    /// The objects of entities, of subentities too, for which a predicate is true.
    case entities([(entity: NSEntityDescription, predicate: NSPredicate?)])
  }

  /// The objects that a dump has beside those that were chosen.
  enum References: String, CaseIterable {
    /// All that they depend on, so that it loads into an empty store.
    case follow
    /// Nothing: it loads into a store that has what they refer to.
    case keys
  }

  var roots = Roots.all
  var references = References.follow
}
