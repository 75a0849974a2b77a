import CoreData
import Foundation
import Seeding

/// The selection of objects for a dump.
struct DumpSelection {
  enum Roots {
    case all
    /// One object, by its entity and the values of its natural key.
    case object(NSEntityDescription, key: [String])
    /// The objects of entities and their subentities for which a predicate is true.
    case entities([(entity: NSEntityDescription, predicate: NSPredicate?)])
  }

  typealias References = StoreDump.References

  var roots = Roots.all
  var references = References.follow
  /// The number of relationships that are followed from a chosen object; `nil` for all.
  var depth: Int?
  /// The largest number of objects that are chosen of each entity; `nil` for all.
  var limit: Int?
}

extension StoreDump {
  /// Dumps the objects of a selection.
  func seed(of selection: DumpSelection, mask: DumpMask? = nil) throws -> DumpedSeed {
    try seed(
      references: selection.references,
      depth: selection.depth,
      changing: { try mask?.apply(to: $0) }
    ) { context, all in
      try DumpRoots(context: context, all: all, limit: selection.limit).objects(of: selection.roots)
    }
  }
}

/// Finds the objects that a selection names. The caller is on the queue of the context.
struct DumpRoots {
  let context: NSManagedObjectContext
  /// All objects of the store, by the names of their entities.
  let all: [String: [NSManagedObject]]
  /// The largest number of objects of each selected entity, the first ones by row; nil for all.
  let limit: Int?

  /// The objects that the roots select; nil when all objects are selected.
  func objects(of roots: DumpSelection.Roots) throws -> Set<NSManagedObject>? {
    switch roots {
    case .all: nil
    case .object(let entity, let key): [try object(entity, texts: key)]
    case .entities(let entities):
      try entities.reduce(into: []) { $0.formUnion(try objects($1.entity, predicate: $1.predicate)) }
    }
  }

  private func objects(_ entity: NSEntityDescription, predicate: NSPredicate?) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.predicate = predicate
    let found = try context.fetch(request)
    guard let limit, found.count > limit else { return found }
    return Array(found.sorted { $0.rowAddress < $1.rowAddress }.prefix(limit))
  }

  private func object(_ entity: NSEntityDescription, texts: [String]) throws -> NSManagedObject {
    let name = entity.name ?? ""
    guard let key = NaturalKeys().key(of: entity) else {
      throw CommandFailure("\(name) has no natural key to name an object by; choose by --entity \(name) and --where")
    }
    guard texts.count == key.paths.count else {
      throw CommandFailure(
        "the natural key of \(name) is its \(key.paths.joined(separator: ", ")); "
          + "give \(key.paths.count) values for it"
      )
    }
    let written = try WrittenKey(texts, of: key, at: "--object \(name)")
    let found = all.values.flatMap(\.self).filter { $0.entity.isKindOf(entity: entity) && written.names($0) }
    if let object = found.first, found.count == 1 { return object }
    let words = "\(name) with the \(key.name) \(texts.joined(separator: ", "))"
    throw CommandFailure(found.isEmpty ? "there is no \(words)" : "there are \(found.count) \(words)")
  }
}
