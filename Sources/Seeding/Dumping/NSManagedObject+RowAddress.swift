package import CoreData
import Foundation

extension NSManagedObject {
  /// The address of the object, which sorts by the number of its row.
  package var rowAddress: (String, Int) {
    let address = objectID.uriRepresentation()
    // Apple's addresses end in a letter and the number of the row.
    return (address.deletingLastPathComponent().absoluteString, Int(address.lastPathComponent.dropFirst()) ?? 0)
  }
}
