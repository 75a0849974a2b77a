import CoreData

/// Chooses the side from which each relationship is written, and how its objects are found.
struct LinkPlanner {
  let model: NSManagedObjectModel
  let population: Population
  let plan: GenerationPlan

  /// The links to write, by the entity and the name of their relationship.
  func links() throws(GenerationError) -> [String: LinkPlan] {
    try checkFanOuts()
    var links: [String: LinkPlan] = [:]
    for entity in model.entities {
      for (_, relationship) in entity.relationshipsByName
      where relationship.declaringEntity.name == entity.name && !relationship.isTransient {
        if try isTold(relationship), let link = try link(relationship) { links[relationship.place] = link }
      }
    }
    return links
  }

  private func checkFanOuts() throws(GenerationError) {
    for (place, counts) in plan.fanOuts.sorted(by: { $0.key < $1.key }) {
      let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
      let relationship =
        parts.count == 2 ? model.entitiesByName[parts[0]]?.relationshipsByName[parts[1]] : nil
      guard let relationship, relationship.isToMany else {
        throw GenerationError(
          place: place,
          problem: "this is not a to-many relationship",
          remedy: "name one as Entity.relationship"
        )
      }
      guard counts.lowerBound >= 0, counts.upperBound <= GenerationPlan.mostLinks else {
        throw tooMany(place)
      }
      guard counts.lowerBound >= relationship.leastCount,
        counts.upperBound <= relationship.greatestCount ?? .max
      else {
        throw GenerationError(
          place: place,
          problem: "the model does not allow links to \(counts.lowerBound) to \(counts.upperBound) objects",
          remedy: "give a number that it allows"
        )
      }
    }
  }

  // MARK: - Sides

  /// A single object is shorter to write than a list. Of two lists, the side is chosen whose length or order matters.
  private func isTold(_ relationship: NSRelationshipDescription) throws(GenerationError) -> Bool {
    guard let inverse = relationship.inverseRelationship, !relationship.isItsOwnInverse else { return true }
    return try rank(relationship) < rank(inverse)
  }

  private func rank(_ relationship: NSRelationshipDescription) throws(GenerationError) -> (Int, Int, String) {
    let matters = try fanOut(relationship) != nil || relationship.isOrdered || relationship.leastCount > 0
    return (relationship.isToMany ? 1 : 0, matters ? 0 : 1, relationship.place)
  }

  /// The number of destinations that the plan or the user info asks for; `nil` when neither does.
  private func fanOut(_ relationship: NSRelationshipDescription) throws(GenerationError) -> ClosedRange<Int>? {
    if let counts = plan.fanOut(of: relationship, in: model) { return counts }
    guard let hint = relationship.userInfo?["generate.fanOut"] as? String else { return nil }
    guard let counts = FanOutText.range(hint) else {
      throw GenerationError(
        place: relationship.place,
        problem: "generate.fanOut says \"\(hint)\"",
        remedy: "say a number such as 3, or two such as 1-5"
      )
    }
    guard counts.upperBound <= GenerationPlan.mostLinks else { throw tooMany(relationship.place) }
    return counts
  }

  private func tooMany(_ place: String) -> GenerationError {
    GenerationError(
      place: place,
      problem: "this is not a number of objects to link to that can be made",
      remedy: "give 0 to \(GenerationPlan.mostLinks)"
    )
  }

  // MARK: - Rules

  private func link(_ relationship: NSRelationshipDescription) throws(GenerationError) -> LinkPlan? {
    guard let destination = relationship.destinationEntity else { return nil }
    let sources = population.total(of: relationship.declaringEntity)
    let count = population.total(of: destination)
    guard sources > 0, count > 0 else {
      if sources > 0, relationship.leastCount > 0 { throw tooFew(relationship, entity: destination) }
      return nil
    }
    let rule =
      try relationship.isToMany
      ? lists(relationship, sources: sources, count: count)
      : singles(relationship, sources: sources, count: count)
    return LinkPlan(relationship: relationship, rule: rule, to: destination, count: count, seed: plan.seed)
  }

  private func singles(
    _ relationship: NSRelationshipDescription,
    sources: UInt64,
    count: UInt64
  ) throws(GenerationError) -> LinkPlan.Rule {
    let isRequired = relationship.leastCount > 0
    let isWithin = relationship.declaringEntity.name == relationship.destinationEntity?.name
    guard let inverse = relationship.inverseRelationship else { return .any(absence: isRequired ? 0 : 0.1) }
    if !inverse.isToMany {
      if relationship.isItsOwnInverse {
        if isRequired, !count.isMultiple(of: 2) {
          throw tooFew(relationship, entity: relationship.destinationEntity)
        }
        return .pairs
      }
      if isWithin { return .next(isRequired: isRequired || inverse.leastCount > 0) }
      if isRequired, sources > count { throw tooFew(relationship, entity: relationship.destinationEntity) }
      if inverse.leastCount > 0, count > sources {
        throw tooFew(inverse, entity: relationship.declaringEntity)
      }
      return .same
    }
    if let counts = try fanOut(inverse), counts.upperBound > 0 {
      // The last destination gets what is left, and sources that are left begin at the first one again.
      let before = LinkPlan.start(of: count - 1, counts: counts)
      if sources < before.saturatingSum(UInt64(inverse.leastCount)) {
        if inverse.leastCount > 0 { throw tooFew(inverse, entity: relationship.declaringEntity) }
      } else if isRequired, inverse.greatestCount != nil, sources > LinkPlan.start(of: count, counts: counts) {
        throw tooFew(relationship, entity: relationship.destinationEntity)
      }
      return .groups(counts, isRequired: isRequired)
    }
    guard inverse.leastCount > 0 || inverse.greatestCount != nil else {
      return isWithin ? .before(isRequired: isRequired) : .any(absence: isRequired ? 0 : 0.1)
    }
    let least = sources / count
    let greatest = (sources + count - 1) / count
    if least < UInt64(inverse.leastCount) { throw tooFew(inverse, entity: relationship.declaringEntity) }
    if let allowed = inverse.greatestCount, greatest > UInt64(allowed) {
      if isRequired { throw tooFew(relationship, entity: relationship.destinationEntity) }
      let group = min(allowed, GenerationPlan.mostLinks)
      return .groups(group...group, isRequired: false)
    }
    return .dealt(1...1)
  }

  private func lists(
    _ relationship: NSRelationshipDescription,
    sources: UInt64,
    count: UInt64
  ) throws(GenerationError) -> LinkPlan.Rule {
    let available = Int(clamping: count)
    var counts = try fanOut(relationship) ?? usual(relationship)
    // An object is not linked to itself.
    let isWithin = relationship.declaringEntity.name == relationship.destinationEntity?.name
    guard relationship.leastCount <= available - (isWithin ? 1 : 0) else {
      throw tooFew(relationship, entity: relationship.destinationEntity)
    }
    guard relationship.leastCount <= GenerationPlan.mostLinks else { throw tooMany(relationship.place) }
    counts = min(counts.lowerBound, available)...min(counts.upperBound, available)
    guard let inverse = relationship.inverseRelationship, !relationship.isItsOwnInverse else {
      return .dealt(counts)
    }
    if inverse.leastCount > 0 {
      // With as many cards as objects, every object is dealt.
      let needed = Int(
        clamping: count.saturatingProduct(UInt64(inverse.leastCount)).saturatingSum(sources - 1) / sources
      )
      guard needed <= relationship.greatestCount ?? GenerationPlan.mostLinks, needed <= available else {
        throw tooFew(inverse, entity: relationship.declaringEntity)
      }
      counts = max(counts.lowerBound, needed)...max(counts.upperBound, needed)
    }
    if let allowed = inverse.greatestCount {
      let most = Int(clamping: count.saturatingProduct(UInt64(allowed)) / sources)
      guard most >= max(relationship.leastCount, 1) else {
        throw tooFew(relationship, entity: relationship.destinationEntity)
      }
      counts = min(counts.lowerBound, most)...min(counts.upperBound, most)
    }
    return .dealt(counts)
  }

  private func usual(_ relationship: NSRelationshipDescription) -> ClosedRange<Int> {
    let usual = min(max(3, relationship.leastCount), relationship.greatestCount ?? .max)
    return usual...usual
  }

  private func tooFew(
    _ relationship: NSRelationshipDescription,
    entity: NSEntityDescription?
  ) -> GenerationError {
    let name = entity?.name ?? "the destination"
    return GenerationError(
      place: relationship.place,
      problem: "the number of objects of \(name) does not let all links be made that the model asks for",
      remedy: "give another number of \(name)"
    )
  }
}

extension GenerationPlan {
  /// The number of destinations that the plan has for a relationship, whichever entity it is named of.
  func fanOut(of relationship: NSRelationshipDescription, in model: NSManagedObjectModel) -> ClosedRange<Int>? {
    fanOuts.first { place, _ in
      guard place.hasSuffix(".\(relationship.name)") else { return false }
      let entity = model.entitiesByName[String(place.prefix { $0 != "." })]
      return entity?.relationshipsByName[relationship.name]?.place == relationship.place
    }?.value
  }
}

/// The spelling of how many objects are linked to: `3`, or `1-5`.
package enum FanOutText {
  /// Nil for anything else.
  package static func range(_ text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let low = parts[0], let high = parts[parts.count - 1], 0 <= low,
      low <= high
    else { return nil }
    return low...high
  }
}
