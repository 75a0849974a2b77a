import CoreData
import Testing

/// A class with the `fetchRequest()` that Xcode generates.
private final class OwnRequestNote: NSManagedObject {}

extension OwnRequestNote {
  fileprivate class func fetchRequest() -> NSFetchRequest<OwnRequestNote> {
    NSFetchRequest(entityName: "Own")
  }
}

@Suite("A class's own fetchRequest()")
struct OwnRequestTests {
  @Test("a class's own fetchRequest() is used if the type is not stated")
  func unsaid() {
    let request = OwnRequestNote.fetchRequest()
    #expect(type(of: request) == NSFetchRequest<OwnRequestNote>.self)
    #expect(request.entityName == "Own")
  }
}
