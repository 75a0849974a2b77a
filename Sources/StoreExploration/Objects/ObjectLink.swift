package import CoreData
import Texts

/// An object that a page leads to.
package struct ObjectLink: Sendable, Hashable {
  package let entity: String
  package let key: Int64
  /// The name by which a person knows the object, as `ObjectNames` gives it.
  package let name: String

  /// The link to an object of which nothing is known but its key.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
    name = VisibleText(line: "\(entity) p\(key)", atMost: ObjectNames.longestName).description
  }

  /// The link to an object. Called on the queue of its context.
  package init(_ object: NSManagedObject, _ names: inout ObjectNames) {
    entity = object.entity.name ?? ""
    key = object.objectID.key
    name = names.name(of: object)
  }
}
