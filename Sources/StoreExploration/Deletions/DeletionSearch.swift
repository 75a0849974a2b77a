import CoreData
import Foundation

/// Follows the delete rules of a model from some objects on, level by level. Used on the queue of its context.
struct DeletionSearch {
  struct Cause {
    let depth: Int
    let relationship: String?
  }

  let context: NSManagedObjectContext
  let mostObjects: Int
  let deadline: ContinuousClock.Instant
  private(set) var order: [NSManagedObjectID] = []
  private(set) var causes: [NSManagedObjectID: Cause] = [:]
  private var missing: [NSManagedObjectID] = []
  private var limit: DeletionPreview.Limit?
  /// The number of objects that were found and would stay.
  private var otherCount = 0
  /// By relationship, the destinations that would stay as far as is known. Another relationship may still
  /// delete some of them.
  private var staying: [String: Staying] = [:]

  private struct Staying {
    let relationship: NSRelationshipDescription
    var ids: Set<NSManagedObjectID> = []
  }

  init(context: NSManagedObjectContext, mostObjects: Int, deadline: ContinuousClock.Instant) {
    self.context = context
    self.mostObjects = mostObjects
    self.deadline = deadline
  }

  // MARK: - Search

  mutating func run(_ roots: [NSManagedObjectID]) throws {
    let present = try present(roots)
    missing = roots.filter { !present.contains($0) }
    var level: [NSManagedObjectID] = []
    for root in roots where present.contains(root) && causes[root] == nil {
      guard add(root, cause: Cause(depth: 0, relationship: nil), to: &level) else { return }
    }
    var depth = 0
    while !level.isEmpty, limit == nil {
      depth += 1
      level = try next(level, depth: depth)
    }
  }

  private func present(_ objects: [NSManagedObjectID]) throws -> Set<NSManagedObjectID> {
    var present: Set<NSManagedObjectID> = []
    for (entity, ids) in Dictionary(
      grouping: objects.filter { !$0.isTemporaryID },
      by: { $0.entity.name ?? "" }
    ) {
      for start in stride(from: 0, to: ids.count, by: DestinationQuery.chunk) {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[start...].prefix(DestinationQuery.chunk)))
        present.formUnion(try context.fetch(request))
      }
    }
    return present
  }

  /// - Returns: false if the limit is reached.
  private mutating func add(_ id: NSManagedObjectID, cause: Cause, to level: inout [NSManagedObjectID])
    -> Bool
  {
    guard order.count + otherCount < mostObjects else {
      limit = .objects
      return false
    }
    causes[id] = cause
    order.append(id)
    level.append(id)
    return true
  }

  /// The objects that the deletion of one level's objects also deletes.
  private mutating func next(_ level: [NSManagedObjectID], depth: Int) throws -> [NSManagedObjectID] {
    var found: [NSManagedObjectID] = []
    let groups = Dictionary(grouping: level) { $0.entity.name ?? "" }
    for (_, ids) in groups.sorted(by: { $0.key < $1.key }) {
      let relationships = ids[0].entity.relationshipsByName.sorted { $0.key < $1.key }.map(\.value)
      for relationship in relationships where !relationship.isTransient {
        for start in stride(from: 0, to: ids.count, by: DestinationQuery.chunk) {
          guard limit == nil else { return found }
          guard ContinuousClock.now < deadline else {
            limit = .time
            return found
          }
          let sources = Array(ids[start...].prefix(DestinationQuery.chunk))
          try follow(relationship, sources: sources, depth: depth, found: &found)
        }
      }
    }
    return found
  }

  private mutating func follow(
    _ relationship: NSRelationshipDescription,
    sources: [NSManagedObjectID],
    depth: Int,
    found: inout [NSManagedObjectID]
  ) throws {
    let query = DestinationQuery(context: context, relationship: relationship)
    let room = max(1, mostObjects - order.count - otherCount + 1)
    let destinations = try query.destinations(of: sources, limit: room + causes.count)
    if relationship.deleteRule == .cascadeDeleteRule {
      let cause = Cause(depth: depth, relationship: Self.name(relationship))
      for id in destinations where causes[id] == nil {
        guard add(id, cause: cause, to: &found) else { return }
      }
    } else {
      let name = Self.name(relationship)
      for id in destinations where causes[id] == nil {
        let isNew = staying[name, default: Staying(relationship: relationship)].ids.insert(id).inserted
        guard isNew else { continue }
        guard order.count + otherCount < mostObjects else {
          limit = .objects
          return
        }
        otherCount += 1
      }
    }
  }

  // MARK: - Result

  func preview(mostTold: Int) throws -> DeletionPreview {
    let counts = Dictionary(grouping: order) { $0.entity.name ?? "" }
      .map { DeletionPreview.EntityCount(entity: $0.key, count: $0.value.count) }
    let told = order.prefix(mostTold)
    var namer = ObjectNames()
    let names = try namer.names(of: told, in: context)
    let (referring, referringLimit) = try referring(namer: &namer)
    return DeletionPreview(
      counts: counts.sorted { $0.entity < $1.entity },
      deleted: told.map { id in
        .init(
          object: NamedObject(id: id, name: names[id] ?? ObjectNames.fallback(id)),
          depth: causes[id]?.depth ?? 0,
          relationship: causes[id]?.relationship
        )
      },
      released: released(),
      referring: referring,
      denied: try denied(),
      missing: missing,
      limit: limit ?? referringLimit
    )
  }

  private func released() -> [DeletionPreview.Released] {
    staying.values.compactMap { staying -> DeletionPreview.Released? in
      let relationship = staying.relationship
      let count = staying.ids.count { causes[$0] == nil }
      // Without an inverse, the reference belongs to the deleted object alone, and its destination loses nothing.
      guard count > 0, relationship.deleteRule != .denyDeleteRule, let inverse = relationship.inverseRelationship
      else { return nil }
      // A to-many inverse only loses one of its values.
      let loses = relationship.deleteRule == .nullifyDeleteRule && !inverse.isToMany
      return DeletionPreview.Released(
        relationship: Self.name(relationship),
        inverse: Self.name(inverse),
        count: count,
        kind: relationship.deleteRule == .noActionDeleteRule ? .leftDangling : .nullified,
        breaksRequirement: loses && !inverse.isOptional
      )
    }
    .sorted { $0.relationship < $1.relationship }
  }

  /// The greatest number of denied deletions in the result.
  private static let mostDenied = 100

  private func denied() throws -> [DeletionPreview.Denied] {
    var denied: [DeletionPreview.Denied] = []
    var namer = ObjectNames()
    for (_, staying) in staying.sorted(by: { $0.key < $1.key })
    where staying.relationship.deleteRule == .denyDeleteRule
      && staying.ids.contains(where: { causes[$0] == nil })
    {
      let relationship = staying.relationship
      let objects = order.filter { $0.entity.isKindOf(entity: relationship.entity) }
      for start in stride(from: 0, to: objects.count, by: DestinationQuery.chunk) {
        let chunk = Array(objects[start...].prefix(DestinationQuery.chunk))
        let query = DestinationQuery(context: context, relationship: relationship)
        let sources = try query.sources(among: chunk)
        let names = try namer.names(of: sources, in: context)
        for source in sources {
          guard denied.count < Self.mostDenied else { return denied }
          let destinations = try query.destinations(of: [source], limit: mostObjects)
          let count = destinations.count { causes[$0] == nil }
          guard count > 0 else { continue }
          denied.append(
            .init(
              object: NamedObject(id: source, name: names[source] ?? ObjectNames.fallback(source)),
              relationship: Self.name(relationship),
              count: count
            )
          )
        }
      }
    }
    return denied
  }

  static func name(_ relationship: NSRelationshipDescription) -> String {
    "\(relationship.entity.name ?? "").\(relationship.name)"
  }
}
