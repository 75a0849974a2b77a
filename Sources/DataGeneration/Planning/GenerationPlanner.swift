import CoreData
import Seeding

/// Plans the records of all entities.
struct GenerationPlanner {
  let plans: [EntityPlan]
  let references: LinkedReferences
  /// The attributes and entities that cannot be generated, with the reasons.
  let omissions: [GenerationError]
  /// The names of the entities that cannot be generated.
  let excluded: Set<String>

  init(model: NSManagedObjectModel, plan: GenerationPlan) throws(GenerationError) {
    let (population, excluded) = try Self.population(of: model, plan: plan)
    var omissions = excluded.values.sorted { $0.place < $1.place }
    self.excluded = Set(excluded.keys)
    let links = try LinkPlanner(model: model, population: population, plan: plan).links()
    let labelled = Self.labelled(links.values, population: population)
    var plans: [EntityPlan] = []
    for name in Self.ordered(population.names, links: links.values, population: population) {
      guard let entity = model.entitiesByName[name] else { continue }
      var entityPlan = try Self.plan(
        entity,
        population: population,
        links: links,
        seed: plan.seed,
        omissions: &omissions
      )
      entityPlan.isLabelled = labelled.contains(name)
      plans.append(entityPlan)
    }
    self.plans = plans
    self.omissions = omissions
    references = LinkedReferences(plans: plans, population: population, model: model)
  }

  /// The number of objects of each entity, and the entities without objects, with the reasons: those with a required
  /// attribute that cannot get a value, and those that require a link to one of them.
  ///
  /// - Throws: The first of the reasons if no entity can be generated, and errors in the plan.
  private static func population(of model: NSManagedObjectModel, plan: GenerationPlan)
    throws(GenerationError)
    -> (Population, excluded: [String: GenerationError])
  {
    var excluded: [String: GenerationError] = [:]
    while true {
      let population = try PopulationPlanner.population(of: model, plan: plan, excluding: Set(excluded.keys))
      let before = excluded.count
      for name in population.names {
        guard let entity = model.entitiesByName[name] else { continue }
        if let reason = try Self.reason(
          against: entity,
          population: population,
          excluded: excluded,
          seed: plan.seed
        ) {
          excluded[name] = reason
        }
      }
      guard excluded.count > before else {
        if population.names.isEmpty, let first = excluded.min(by: { $0.key < $1.key }) { throw first.value }
        return (population, excluded)
      }
    }
  }

  /// Nil if objects of an entity can be generated.
  private static func reason(
    against entity: NSEntityDescription,
    population: Population,
    excluded: [String: GenerationError],
    seed: UInt64
  ) throws(GenerationError) -> GenerationError? {
    for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where relationship.leastCount > 0 {
      guard let destination = relationship.destinationEntity, population.total(of: destination) == 0,
        let missing = destination.family.lazy.compactMap({ excluded[$0.name ?? ""] }).first
      else { continue }
      return GenerationError(
        place: relationship.place,
        problem:
          "an object has to be linked to one that cannot be made: \(missing.place), \(missing.problem)",
        remedy: missing.remedy
      )
    }
    do throws(GenerationError) {
      var omissions: [GenerationError] = []
      _ = try plan(entity, population: population, links: [:], seed: seed, omissions: &omissions)
      return nil
    } catch {
      if error.isOfPlan { throw error }
      return error
    }
  }

  private static func plan(
    _ entity: NSEntityDescription,
    population: Population,
    links: [String: LinkPlan],
    seed: UInt64,
    omissions: inout [GenerationError]
  ) throws(GenerationError) -> EntityPlan {
    let name = entity.name ?? ""
    let family = population.total(of: entity.root)
    let unique = try UniqueAttributes(of: entity, count: family) { attribute throws(GenerationError) in
      try AttributeDomain(attribute, entity: name).values(distinct: family)?.size ?? 0
    }
    var attributes: [AttributePlan] = []
    for (_, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) {
      guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { continue }
      let isUnique = unique.names.contains(attribute.name)
      do throws(GenerationError) {
        let plan = try AttributePlan(attribute, of: entity, distinct: family, isUnique: isUnique, seed: seed)
        try plan?.check(of: population.first(of: name, in: entity.root), count: population.count(of: name))
        if let plan { attributes.append(plan) } else { try Self.checkMayBeMissing(attribute, of: name) }
      } catch {
        guard !isUnique, attribute.isOptional || attribute.defaultValue != nil else { throw error }
        omissions.append(error)
      }
    }
    let told = entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap { _, relationship in
      links[relationship.place].map { link in
        EntityPlan.Link(plan: link, first: population.first(of: name, in: relationship.declaringEntity))
      }
    }
    return EntityPlan(
      name: name,
      count: population.count(of: name),
      first: population.first(of: name, in: entity.root),
      attributes: attributes,
      links: told
    )
  }

  private static func checkMayBeMissing(_ attribute: NSAttributeDescription, of entity: String)
    throws(GenerationError)
  {
    guard !attribute.isOptional, attribute.defaultValue == nil else { return }
    throw GenerationError(
      place: "\(entity).\(attribute.name)",
      problem: "there are no values to choose from",
      remedy: "give some in the attribute's user info, as generate.values, or make the attribute optional"
    )
  }

  /// The entities of linked objects that do not have a key.
  private static func labelled(_ links: some Sequence<LinkPlan>, population: Population) -> Set<String> {
    links.reduce(into: []) { labelled, link in
      if LinkedReferences.keyName(of: link.destination) == nil {
        labelled.formUnion(population.members(of: link.destination))
      }
    }
  }

  /// The entities, sorted so that entities come before those that refer to them as far as possible,
  /// and a reader need not look ahead.
  private static func ordered(_ names: [String], links: some Sequence<LinkPlan>, population: Population)
    -> [String]
  {
    var needs: [String: Set<String>] = [:]
    for link in links {
      for name in population.members(of: link.relationship.declaringEntity) {
        needs[name, default: []].formUnion(population.members(of: link.destination))
      }
    }
    var ordered: [String] = []
    var visited: Set<String> = []
    // A chain of entities may be as long as the model, so that those that wait are not on the stack.
    var path: [(name: String, needs: ArraySlice<String>)] = []
    func enter(_ name: String) {
      guard visited.insert(name).inserted else { return }
      path.append((name, (needs[name] ?? []).sorted()[...]))
    }
    for name in names {
      enter(name)
      while let last = path.indices.last {
        if let need = path[last].needs.popFirst() {
          enter(need)
        } else {
          ordered.append(path.removeLast().name)
        }
      }
    }
    return ordered
  }
}
