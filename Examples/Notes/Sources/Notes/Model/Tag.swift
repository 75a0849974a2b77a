import CoreData
import Foundation

class Tag: NSManagedObject {

  // MARK: - Properties

  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }

  // MARK: - Relationships

  var notes: Set<Note>? {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
}
