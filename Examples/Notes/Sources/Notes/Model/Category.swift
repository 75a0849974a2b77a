import CoreData
import Foundation

class Category: NSManagedObject {

  // MARK: - Properties

  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }

  var colorAsHex: String? {
    get { managedValue("colorAsHex") }
    set { setManagedValue(newValue, "colorAsHex") }
  }

  // MARK: - Relationships

  var notes: Set<Note>? {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
}
