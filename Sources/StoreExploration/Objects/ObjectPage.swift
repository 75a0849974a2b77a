/// All that a page shows of one object.
package struct ObjectPage: Sendable {
  package struct Attribute: Sendable {
    package let name: String
    package let type: String
    package let value: ShownValue
    /// The reason why the value could not be read; `nil` where it was read.
    package let failure: String?
    package let isTransient: Bool
    package let isDerived: Bool
  }

  /// Objects that are related to the page's.
  package struct Related: Sendable {
    /// The name of the relationship.
    package let name: String
    /// The entity that the relationship belongs to.
    package let owner: String
    /// The entity of the objects that are listed.
    package let entity: String
    package let inverse: String?
    package let isToMany: Bool
    package let isOrdered: Bool
    package let deleteRule: String
    package let count: Int
    package let isCapped: Bool
    /// The first of the objects, in order where it is an ordered relationship.
    package let objects: [ObjectLink]
    package let failure: String?
  }

  package let link: ObjectLink
  /// The object's URI.
  package let address: String
  /// The names of the entity and of those above it, from the top.
  package let lineage: [String]
  package let attributes: [Attribute]
  package let relationships: [Related]
  /// The relationships without an inverse by which others lead to the object.
  package let references: [Related]
}
