import CoreData
import Foundation

class Note: NSManagedObject {

  // MARK: - Properties

  var title: String? {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }

  var contents: String? {
    get { managedValue("contents") }
    set { setManagedValue(newValue, "contents") }
  }

  var createdAt: Date? {
    get { managedValue("createdAt") }
    set { setManagedValue(newValue, "createdAt") }
  }

  var updatedAt: Date? {
    get { managedValue("updatedAt") }
    set { setManagedValue(newValue, "updatedAt") }
  }

  // MARK: - Relationships

  var category: Category? {
    get { managedValue("category") }
    set { setManagedValue(newValue, "category") }
  }

  var tags: Set<Tag>? {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }

  func addToTags(_ tag: Tag) {
    mutableSetValue(forKey: "tags").add(tag)
  }
}
