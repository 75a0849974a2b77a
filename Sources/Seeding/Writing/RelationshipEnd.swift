import CoreData

/// A relationship of one object of a run.
struct RelationshipEnd: Hashable {
  let object: ObjectIdentifier
  let relationship: String

  init(_ object: NSManagedObject, relationship: String) {
    self.object = ObjectIdentifier(object)
    self.relationship = relationship
  }
}

/// A relationship of a tree of entities, whose objects have their primary keys in common.
struct RelationshipSide: Hashable {
  private let root: ObjectIdentifier
  private let relationship: String

  init(entity: NSEntityDescription, relationship: String) {
    var root = entity
    while let superentity = root.superentity { root = superentity }
    self.root = ObjectIdentifier(root)
    self.relationship = relationship
  }

  init(_ relationship: NSRelationshipDescription) {
    self.init(entity: relationship.entity, relationship: relationship.name)
  }
}

extension NSRelationshipDescription {
  /// True if both sides of the relationship are lists.
  var isManyToMany: Bool { isToMany && inverseRelationship?.isToMany == true }
}
