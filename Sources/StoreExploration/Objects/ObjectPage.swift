/// The content of an object's page.
package struct ObjectPage: Sendable {
  package struct Attribute: Sendable {
    package let name: String
    package let type: String
    package let value: ShownValue
    /// The reason why the value could not be read; `nil` if it was read.
    package let failure: String?
    package let isTransient: Bool
    package let isDerived: Bool
  }

  /// Objects that are related to the page's object.
  package struct Related: Sendable {
    /// The name of the relationship.
    package let name: String
    /// The entity that declares the relationship.
    package let owner: String
    /// The entity of the listed objects.
    package let entity: String
    package let inverse: String?
    package let isToMany: Bool
    package let isOrdered: Bool
    package let deleteRule: String
    package let count: Int
    package let isCapped: Bool
    /// The first of the objects. They are in order if the relationship is ordered.
    package let objects: [ObjectLink]
    package let failure: String?
  }

  package let link: ObjectLink
  /// The object's URI.
  package let address: String
  /// The names of the entity and its ancestors, from the root entity on.
  package let lineage: [String]
  package let attributes: [Attribute]
  package let relationships: [Related]
  /// The relationships of other objects that lead to this object and do not have an inverse.
  package let references: [Related]
}
