import CoreData

/// Plans the records of all entities.
struct GenerationPlanner {
  let plans: [EntityPlan]
  let references: LinkedReferences

  init(_ model: NSManagedObjectModel, _ plan: GenerationPlan) throws(GenerationError) {
    let population = try PopulationPlanner.population(of: model, plan)
    let links = try LinkPlanner(model, population, plan).links()
    let labelled = Self.labelled(links.values, population)
    var plans: [EntityPlan] = []
    for name in Self.ordered(population.names, links.values, population) {
      guard let entity = model.entitiesByName[name] else { continue }
      var entityPlan = try Self.plan(entity, population, links, seed: plan.seed)
      entityPlan.isLabelled = labelled.contains(name)
      plans.append(entityPlan)
    }
    self.plans = plans
    references = LinkedReferences(plans, population, model)
  }

  private static func plan(
    _ entity: NSEntityDescription,
    _ population: Population,
    _ links: [String: LinkPlan],
    seed: UInt64
  ) throws(GenerationError) -> EntityPlan {
    let name = entity.name ?? ""
    let family = population.total(of: entity.root)
    let unique = try UniqueAttributes(of: entity, family) { attribute throws(GenerationError) in
      try AttributeDomain(attribute, entity: name).values(distinct: family)?.size ?? 0
    }
    var attributes: [AttributePlan] = []
    for (_, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) {
      guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { continue }
      let isUnique = unique.names.contains(attribute.name)
      let plan = try AttributePlan(attribute, of: entity, distinct: family, isUnique: isUnique, seed: seed)
      if let plan { attributes.append(plan) }
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

  /// The entities that links lead to and no key names.
  private static func labelled(_ links: some Sequence<LinkPlan>, _ population: Population) -> Set<String> {
    links.reduce(into: []) { labelled, link in
      if LinkedReferences.keyName(of: link.destination) == nil {
        labelled.formUnion(population.members(of: link.destination))
      }
    }
  }

  /// The entities in an order in which those that others refer to come first, as far as they can,
  /// so that a reader need not look ahead.
  private static func ordered(_ names: [String], _ links: some Sequence<LinkPlan>, _ population: Population)
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
