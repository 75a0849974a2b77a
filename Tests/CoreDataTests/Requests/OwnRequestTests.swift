import CoreData
import Testing

/// A class that has its request as Xcode writes it.
private final class OwnRequestNote: NSManagedObject {}

extension OwnRequestNote {
  fileprivate class func fetchRequest() -> NSFetchRequest<OwnRequestNote> {
    NSFetchRequest(entityName: "Own")
  }
}

@Suite("A class's own fetchRequest()")
struct OwnRequestTests {
  @Test("is meant where the type of the request is not said")
  func unsaid() {
    let request = OwnRequestNote.fetchRequest()
    #expect(type(of: request) == NSFetchRequest<OwnRequestNote>.self)
    #expect(request.entityName == "Own")
  }
}
