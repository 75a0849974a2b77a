package import CoreData
import Texts

/// A link from a page to an object.
package struct ObjectLink: Sendable, Hashable {
  package let entity: String
  package let key: Int64
  /// The name for people, from `ObjectNames`.
  package let name: String
  /// A value that distinguishes objects with the same name; `nil` unless the link is detailed.
  package let detail: String?

  /// Makes a link if only the object's key is known.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
    detail = nil
    name = VisibleText(line: "\(entity) p\(key)", atMost: ObjectNames.longestName).description
  }

  /// Makes a link to an object. Called on the queue of its context.
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

  /// The link with a value that distinguishes objects with the same name. Called on the queue of the object's context.
  /// A value that cannot be read is ignored here, because the page reports it where it shows the value.
  func detailed(_ object: NSManagedObject, names: inout ObjectNames) -> ObjectLink {
    let detail = names.detail(of: object)
    let failure = object.managedObjectContext?.takeReadFailure()
    return failure == nil ? ObjectLink(self, detail: detail) : self
  }
}
