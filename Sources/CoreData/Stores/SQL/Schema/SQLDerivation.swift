import Predicates

/// The computation of a derived attribute from other properties, as far as a SQL store supports it.
package enum SQLDerivation {
  /// `now()`: the time of the last save.
  case now
  /// The value of another attribute of the same object.
  case copy(NSAttributeDescription)
  /// `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`: the function and the attribute.
  case text(String, NSAttributeDescription)
  /// The value of an attribute of a to-one relationship's destination.
  case destination(NSRelationshipDescription, NSAttributeDescription)
  /// The number of destinations that a to-many relationship has.
  case count(NSRelationshipDescription)
  /// The sum of an attribute of a to-many relationship's destinations.
  case sum(NSRelationshipDescription, NSAttributeDescription)

  private static let textFunctions: Set<String> = ["canonical:", "uppercase:", "lowercase:"]

  /// - Returns: `nil` for an expression of another form.
  package init?(_ attribute: NSDerivedAttributeDescription) {
    guard let expression = attribute.derivationExpression else { return nil }
    let entity = attribute.entity
    switch expression.node {
    case .keyPath(let path): self.init(path: path.split(separator: ".").map(String.init), entity: entity)
    case .function("now", operand: nil, let arguments) where arguments.isEmpty: self = .now
    case .function(let name, operand: nil, let arguments) where arguments.count == 1:
      guard case .keyPath(let path) = arguments[0].node else { return nil }
      self.init(function: name, path: path.split(separator: ".").map(String.init), entity: entity)
    default: return nil
    }
  }

  private init?(path: [String], entity: NSEntityDescription) {
    if path.count == 1, let source = entity.attributesByName[path[0]] {
      self = .copy(source)
      return
    }
    guard path.count > 1, let relationship = entity.relationshipsByName[path[0]] else { return nil }
    let rest = path.dropFirst()
    // The operator may come before or after its key.
    let keys = rest.filter { !$0.hasPrefix("@") }
    let attribute = keys.first.flatMap { relationship.destinationEntity?.attributesByName[$0] }
    switch (relationship.isToMany, rest.first { $0.hasPrefix("@") }, rest.count) {
    case (true, "@count", 1): self = .count(relationship)
    case (true, "@sum", 2):
      guard let attribute else { return nil }
      self = .sum(relationship, attribute)
    case (false, nil, 1):
      guard let attribute else { return nil }
      self = .destination(relationship, attribute)
    default: return nil
    }
  }

  private init?(function: String, path: [String], entity: NSEntityDescription) {
    switch function {
    case "count:" where path.count == 1: self.init(path: path + ["@count"], entity: entity)
    case "sum:" where path.count == 2: self.init(path: path + ["@sum"], entity: entity)
    case _ where Self.textFunctions.contains(function) && path.count == 1:
      guard let source = entity.attributesByName[path[0]], source.attributeType == .stringAttributeType else {
        return nil
      }
      self = .text(function, source)
    default: return nil
    }
  }
}

/// A derived attribute that is a form of a text. The save computes it, because no database has
/// functions for it that every process knows.
struct SQLDerivedText {
  let column: String
  /// `canonical:`, `uppercase:` or `lowercase:`.
  let function: String
  let source: String

  /// Those among the slots of an entity's layout.
  static func all(in layout: EntityLayout, slots: [SQLSlot?]) -> [SQLDerivedText] {
    layout.slots.indices.compactMap { number in
      guard let attribute = layout.slots[number].attribute as? NSDerivedAttributeDescription,
        case .text(let function, let source) = SQLDerivation(attribute), let slot = slots[number],
        case .slot(let sourceNumber) = layout.places[source.name], let sourceSlot = slots[sourceNumber]
      else { return nil }
      return SQLDerivedText(column: slot.column, function: function, source: sourceSlot.column)
    }
  }
}
