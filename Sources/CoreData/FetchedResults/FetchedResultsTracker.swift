import Foundation
import Predicates

/// Decides what a change of the context does to fetched results: which objects leave, which come,
/// and which have changed.
final class FetchedResultsTracker {
  /// True when the context has reported changes that the results do not contain yet.
  var isBehind = false

  private let context: NSManagedObjectContext
  private let query: FetchQuery
  private let includesPendingChanges: Bool
  private let matches: PredicateEvaluator?
  /// True where a save may change the results: objects with unsaved changes are asked in memory, and saved ones
  /// are answered for by their stores, which may have another rule for nulls.
  let followsSaves: Bool
  private let order: FetchedOrder
  /// True where results are sorted by the IDs of objects, which a save changes.
  private let sortsByIDs: Bool
  /// The objects in the results; `nil` until there is a change to be followed.
  private var members: Set<ObjectIdentifier>?

  init(_ request: any AnyFetchRequest, context: NSManagedObjectContext, sectioning: FetchedSectioning) throws {
    self.context = context
    let query = try request.query(for: try context.entity(of: request))
    self.query = query
    includesPendingChanges = request.includesPendingChanges
    matches = try query.predicate.map { try PredicateEvaluator($0) }
    followsSaves = query.predicate?.dependsOnNullRule == true
    order = FetchedOrder(sorter: Sorter(query.sortDescriptors), sectioning: sectioning)
    sortsByIDs = query.sortDescriptors.contains { $0.sortsByIDs(of: query.entity) }
  }

  /// Called when new objects have got permanent IDs. Where the results are in another order by these, the next
  /// change has them fetched anew.
  func idsWereAssigned(_ sections: [FetchedSection]) {
    guard sortsByIDs, !isBehind else { return }
    isBehind = sections.contains { !order.isKept($0.objects) }
  }

  /// Gets ready to follow changes.
  func prepare(_ sections: [FetchedSection]) {
    if members != nil { return }
    var members = Set<ObjectIdentifier>(minimumCapacity: sections.reduce(0) { $0 + $1.objects.count })
    for section in sections {
      for object in section.objects { members.insert(ObjectIdentifier(object)) }
    }
    self.members = members
  }

  /// Has the members taken from the sections again, since a plan that was made is not applied.
  func forgetMembers() { members = nil }

  /// Plans how the results change after the context's report; `nil` when they stay the same.
  ///
  /// - Throws: the reason for which the predicate or the order of an object could not be evaluated.
  func plan(_ told: ToldChanges, sections: [FetchedSection]) throws -> FetchedPlan? {
    prepare(sections)
    let planner = FetchedPlanner(order: order, sections: sections)
    // A parent may have unsaved changes of its own.
    let asksParent = followsSaves && context.parentSet != nil
    guard isBehind || query.limit > 0 || query.offset > 0 || asksParent else {
      let candidates = candidates(told)
      context.awaitTogether(candidates, of: query.entity)
      return try plan(candidates, planner: planner, tellsChange: told.hasChanged) { try fulfils($0) }
    }
    // With a limit, only a fetch can determine which objects belong to the results.
    let found = try context.fetchObjects(query, includesPendingChanges: includesPendingChanges)
    let wanted = Set(found.map(ObjectIdentifier.init))
    let present = sections.flatMap(\.objects)
    let wasBehind = isBehind
    let touched =
      wasBehind
      ? present
      : present.filter { !wanted.contains(ObjectIdentifier($0)) || told.contains($0) }
    let new = found.filter { members?.contains(ObjectIdentifier($0)) == false }
    let tellsChange: (NSManagedObject) -> Bool = { wasBehind || told.hasChanged($0) }
    let plan = try plan(touched + new, planner: planner, tellsChange: tellsChange) {
      wanted.contains(ObjectIdentifier($0))
    }
    isBehind = false
    return plan
  }

  /// The place of an object in the results.
  func position(of object: NSManagedObject, in sections: [FetchedSection]) -> FetchedPosition? {
    FetchedPlanner(order: order, sections: sections).position(of: object)
  }

  private func plan(
    _ candidates: [NSManagedObject],
    planner: FetchedPlanner,
    tellsChange: (NSManagedObject) -> Bool,
    belongs: (NSManagedObject) throws -> Bool
  ) throws -> FetchedPlan? {
    var removed: [NSManagedObject] = []
    var changed: [NSManagedObject] = []
    var inserted: [NSManagedObject] = []
    for object in candidates {
      let isMember = members?.contains(ObjectIdentifier(object)) == true
      switch (isMember, try belongs(object)) {
      case (true, true): if tellsChange(object) { changed.append(object) }
      case (true, false): removed.append(object)
      case (false, true): inserted.append(object)
      case (false, false): break
      }
    }
    if removed.isEmpty, changed.isEmpty, inserted.isEmpty { return nil }
    let plan = try planner.plan(removed: removed, changed: changed, inserted: inserted)
    for object in removed { members?.remove(ObjectIdentifier(object)) }
    for object in inserted { members?.insert(ObjectIdentifier(object)) }
    return plan
  }

  /// The objects of the entity, each once, in the order in which they were made.
  private func candidates(_ told: ToldChanges) -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    var candidates: [NSManagedObject] = []
    for object in told.objects
    where isOfEntity(object.layout.entity) && seen.insert(ObjectIdentifier(object)).inserted {
      candidates.append(object)
    }
    // Keys of new objects are negative, and fall.
    return candidates.sorted { ($0.key < 0 ? 1 : 0, $0.key.magnitude) < ($1.key < 0 ? 1 : 0, $1.key.magnitude) }
  }

  /// Returns true when the results may have objects of an entity.
  func isOfEntity(_ entity: NSEntityDescription) -> Bool {
    query.includesSubentities ? entity.isKindOf(entity: query.entity) : entity === query.entity
  }

  private func fulfils(_ object: NSManagedObject) throws -> Bool {
    if object.isDeleted || object.state.contains(.inaccessible) { return false }
    if let stores = query.stores, !object.reference.isTemporary, !stores.contains(object.store) { return false }
    // Whether it is still there is known once it has values: others may have deleted it since they changed it.
    object.fireFaultIfNeeded()
    if object.isDeleted { return false }
    guard var matches else { return true }
    if followsSaves, !object.hasChanges {
      matches.nulls = context.persistentStoreCoordinator?.nullRule(ofStore: object.store) ?? .asInMemory
    }
    return try matches(object)
  }
}

extension NSSortDescriptor {
  /// True when what is sorted by are objects: those of the entity, or destinations of relationships.
  fileprivate func sortsByIDs(of entity: NSEntityDescription) -> Bool {
    guard let keyOfRecords else { return false }
    var current: NSEntityDescription? = entity
    for key in keyOfRecords.split(separator: ".").map(String.init)
    where !["self", "SELF", "objectID"].contains(key) {
      current = (current?.allPropertiesByName[key] as? NSRelationshipDescription)?.frozenDestination
    }
    return current != nil
  }
}
