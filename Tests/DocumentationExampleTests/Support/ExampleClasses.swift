import CoreData
import Foundation

final class Note: NSManagedObject {
  @nonobjc class func fetchRequest() -> NSFetchRequest<Note> { NSFetchRequest<Note>(entityName: "Note") }

  var title: String {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }
  var text: String? {
    get { managedValue("text") }
    set { setManagedValue(newValue, "text") }
  }
  var createdAt: Date {
    get { managedValue("createdAt") }
    set { setManagedValue(newValue, "createdAt") }
  }
  var isPinned: Bool {
    get { managedValue("isPinned") }
    set { setManagedValue(newValue, "isPinned") }
  }
  var rating: Int64 {
    get { managedValue("rating") }
    set { setManagedValue(newValue, "rating") }
  }
  var author: Author? {
    get { managedValue("author") }
    set { setManagedValue(newValue, "author") }
  }
  var tags: Set<Tag> {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }

  var isSigned: Bool { author != nil }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard (value.pointee as? String)?.isEmpty == true else { return }
    throw CocoaError(.validationStringTooShort)
  }
}

final class Author: NSManagedObject {
  var name: String {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var notes: Set<Note> {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
}

final class Tag: NSManagedObject {
  var name: String {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var notes: Set<Note> {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
}
