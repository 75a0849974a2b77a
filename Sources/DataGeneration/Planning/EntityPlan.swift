import CoreData
import Seeding

/// The plan for generating the records of one entity.
struct EntityPlan {
  let name: String
  let count: UInt64
  /// The number of the first object in the entity's family.
  let first: UInt64
  let attributes: [AttributePlan]
  let links: [Link]
  /// True if other records refer to the records by a label, because there is no single attribute that identifies them.
  var isLabelled = false

  /// The links of one relationship.
  struct Link {
    let plan: LinkPlan
    /// The number of the entity's first object among those of the entity that declares the relationship.
    let first: UInt64
  }

  /// The record of an object, from 0.
  func record(_ index: UInt64, references: LinkedReferences) throws(GenerationError) -> [GeneratedValue
    .Field]
  {
    var fields: [GeneratedValue.Field] = []
    if isLabelled {
      fields.append(.init(key: "$id", value: .text(LinkedReferences.label(name, index: index))))
    }
    for attribute in attributes {
      if let value = try attribute.value(first + index) {
        fields.append(.init(key: attribute.name, value: value))
      }
    }
    for link in links {
      let source = link.first + index
      var targets: [GeneratedValue] = []
      for number in link.plan.destinations(of: source) {
        targets.append(try references.reference(to: number, of: link.plan.destination))
      }
      guard !targets.isEmpty else { continue }
      let isList = link.plan.relationship.isToMany
      fields.append(.init(key: link.plan.relationship.name, value: isList ? .list(targets) : targets[0]))
    }
    return fields
  }
}

/// The references of records to others: by the value of their natural key where that is one attribute, else by label.
struct LinkedReferences {
  private struct Member {
    let name: String
    let first: UInt64
    let count: UInt64
  }

  private var members: [String: [Member]] = [:]
  private var keys: [String: AttributePlan] = [:]
  private var firstInFamily: [String: UInt64] = [:]

  init(plans: [EntityPlan], population: Population, model: NSManagedObjectModel) {
    for plan in plans { firstInFamily[plan.name] = plan.first }
    for entity in model.entities {
      let names = population.members(of: entity)
      members[entity.name ?? ""] = names.map { name in
        Member(name: name, first: population.first(of: name, in: entity), count: population.count(of: name))
      }
      guard let key = Self.keyName(of: entity) else { continue }
      for plan in plans where names.contains(plan.name) {
        keys["\(entity.name ?? "")/\(plan.name)"] = plan.attributes.first { $0.name == key }
      }
    }
  }

  /// The attribute whose value identifies an object of an entity.
  static func keyName(of entity: NSEntityDescription) -> String? {
    guard let key = NaturalKeys().key(of: entity), key.isSimple else { return nil }
    return key.names[0]
  }

  static func label(_ entity: String, index: UInt64) -> String { "\(entity)-\(index + 1)" }

  func reference(to number: UInt64, of entity: NSEntityDescription) throws(GenerationError) -> GeneratedValue {
    let name = entity.name ?? ""
    guard
      let member = (members[name] ?? []).first(where: { number >= $0.first && number - $0.first < $0.count })
    else { return .null }
    let index = number - member.first
    if let key = keys["\(name)/\(member.name)"],
      let value = try key.value((firstInFamily[member.name] ?? 0) + index)
    {
      return value
    }
    return .fields([.init(key: "$ref", value: .text(Self.label(member.name, index: index)))])
  }
}
