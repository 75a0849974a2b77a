import CoreData
import Foundation
import Testing

@Suite("History tokens")
struct HistoryTokenTests {
  @Test(
    "history tokens exist before the first save, and are equal in every coordinator",
    arguments: StoreKind.sharedByPrograms
  )
  func equality(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let (one, other) = (try store.context(), try store.context())
    let first = try #require(one.historyToken)
    #expect(first == other.historyToken)
    one.note("one")
    try one.save()
    #expect(one.historyToken == other.historyToken)
    #expect(one.historyToken != first)
    #expect(Set([one.historyToken, other.historyToken, first]).count == 2)
    #expect(first.copy() as? NSPersistentHistoryToken == first)
  }

  @Test("history tokens can be archived", arguments: StoreKind.sharedByPrograms)
  func archive(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    context.note("one")
    try context.save()
    let token = try #require(context.historyToken)
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token)
    #expect(try read == store.context().historyToken)
  }

  @Test("stores without a history have no history tokens")
  func none() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .inMemory)
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
  }
}
