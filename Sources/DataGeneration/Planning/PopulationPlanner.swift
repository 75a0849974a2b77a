import CoreData

/// Finds how many objects of each entity are needed.
struct PopulationPlanner {
  private let model: NSManagedObjectModel
  /// The entities for which objects cannot be generated.
  private let excluded: Set<String>
  private var counts: [String: UInt64] = [:]

  private init(_ model: NSManagedObjectModel, excluding excluded: Set<String>) {
    self.model = model
    self.excluded = excluded
  }

  static func population(
    of model: NSManagedObjectModel,
    plan: GenerationPlan,
    excluding excluded: Set<String>
  ) throws(GenerationError) -> Population {
    var planner = PopulationPlanner(model, excluding: excluded)
    for (name, count) in plan.counts.sorted(by: { $0.key < $1.key }) { try planner.add(name, count: count) }
    try planner.addNeeded(plan)
    return Population(model: model, counts: planner.counts)
  }

  private mutating func add(_ name: String, count: Int) throws(GenerationError) {
    guard let entity = model.entitiesByName[name] else {
      let names = model.entitiesByName.keys.sorted().joined(separator: ", ")
      throw GenerationError(place: name, problem: "the model has no such entity", remedy: "name one of \(names)")
    }
    guard !entity.isAbstract else {
      let names = concrete(under: entity).joined(separator: ", ")
      throw GenerationError(place: name, problem: "the entity is abstract", remedy: "name one of \(names)")
    }
    guard (0...GenerationPlan.mostObjects).contains(count) else {
      throw GenerationError(
        place: name,
        problem: "\(count) is not a number of objects that can be made",
        remedy: "give 0 to \(GenerationPlan.mostObjects)"
      )
    }
    counts[name] = excluded.contains(name) ? 0 : UInt64(count)
  }

  /// Adds objects that others have to be linked to, or are by the plan, and those that these have to be linked to.
  private mutating func addNeeded(_ plan: GenerationPlan) throws(GenerationError) {
    var pending = counts.filter { $0.value > 0 }.keys.sorted()
    while let name = pending.popLast() {
      for (_, relationship) in (model.entitiesByName[name]?.relationshipsByName ?? [:]).sorted(by: {
        $0.key < $1.key
      }) {
        let fanOut = plan.fanOut(of: relationship, in: model)
        guard relationship.leastCount > 0 || fanOut?.upperBound ?? 0 > 0,
          let destination = relationship.destinationEntity
        else { continue }
        let candidates = concrete(under: destination)
        guard candidates.allSatisfy({ counts[$0] == nil }),
          let chosen = candidates.first(where: { !excluded.contains($0) })
        else { continue }
        let count = needed(by: relationship, fanOut: fanOut, of: counts[name] ?? 0)
        guard count <= UInt64(GenerationPlan.mostObjects) else {
          throw GenerationError(
            place: relationship.place,
            problem: "the relationship asks for more objects of \(chosen) than can be made",
            remedy: "give fewer of \(name)"
          )
        }
        counts[chosen] = count
        pending.append(chosen)
      }
    }
  }

  /// One for each where that is the rule, and as many as the plan has; else a tenth.
  private func needed(
    by relationship: NSRelationshipDescription,
    fanOut: ClosedRange<Int>?,
    of count: UInt64
  ) -> UInt64 {
    let isExclusive = relationship.inverseRelationship.map { !$0.isToMany } ?? false
    if let fanOut {
      let sources = concrete(under: relationship.declaringEntity)
        .reduce(UInt64(0)) { $0.saturatingSum(counts[$1] ?? 0) }
      return isExclusive
        ? LinkPlan.start(of: min(sources, UInt64(GenerationPlan.mostObjects)), counts: fanOut)
        : max(UInt64(fanOut.upperBound), count / 10)
    }
    return isExclusive
      ? count.saturatingProduct(UInt64(relationship.leastCount))
      : max(UInt64(relationship.leastCount), count / 10)
  }

  private func concrete(under entity: NSEntityDescription) -> [String] {
    model.entities.filter { candidate in
      !candidate.isAbstract
        && sequence(first: candidate, next: \.superentity).contains { $0.name == entity.name }
    }.compactMap(\.name).sorted()
  }
}
