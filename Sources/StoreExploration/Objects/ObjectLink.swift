package import CoreData
import Texts

/// An object that a page leads to.
package struct ObjectLink: Sendable, Hashable {
  package let entity: String
  package let key: Int64
  /// The name by which a person knows the object, as `ObjectNames` gives it.
  package let name: String
  /// A value besides the name, which tells objects with one name apart, where it was asked for.
  package let detail: String?

  /// The link to an object of which nothing is known but its key.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
    detail = nil
    name = VisibleText(line: "\(entity) p\(key)", atMost: ObjectNames.longestName).description
  }

  /// The link to an object. Called on the queue of its context.
  package init(object: NSManagedObject, names: inout ObjectNames) {
    entity = object.entity.name ?? ""
    key = object.objectID.key
    name = names.name(of: object)
    detail = nil
  }

  private init(_ other: ObjectLink, detail: String?) {
    (entity, key, name) = (other.entity, other.key, other.name)
    self.detail = detail
  }

  /// The link with what tells the object apart from others of its name. Called on the queue of its context. A value that
  /// cannot be read is passed over here: it is told where it is shown.
  func detailed(_ object: NSManagedObject, names: inout ObjectNames) -> ObjectLink {
    let detail = names.detail(of: object)
    do {
      try object.managedObjectContext?.throwReadFailure()
      return ObjectLink(self, detail: detail)
    } catch {
      return self
    }
  }
}
