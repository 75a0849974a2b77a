import CoreData
import Foundation
import Testing

@Suite("A store that is kept as a whole, and changed by another program while it is open")
struct WholeFileChangeTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("store")
  }

  private func open(_ type: String) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func titles(_ type: String) throws -> [String?] {
    let context = try open(type)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    return try context.fetch(request).map(\.title)
  }

  @Test(
    "saves nothing over what was saved since it was read, and says so; added again it takes the save",
    arguments: [NSXMLStoreType, NSBinaryStoreType]
  )
  func written(_ type: String) throws {
    let mine = try open(type)
    mine.note("first")
    try mine.save()
    let theirs = try open(type)
    theirs.note("theirs")
    try theirs.save()
    mine.note("mine")
    let error = try #require(#expect(throws: NSError.self) { try mine.save() })
    #expect(error.code == NSPersistentStoreSaveError)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
    #expect(error.localizedDescription.contains("was written or replaced by another program"))
    #expect(try titles(type) == ["first", "theirs"])
    let coordinator = try #require(mine.persistentStoreCoordinator)
    try coordinator.remove(coordinator.persistentStores[0])
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
    try mine.save()
    #expect(try titles(type) == ["first", "mine", "theirs"])
  }

  @Test("saves all that it has when its file was removed", arguments: [NSXMLStoreType, NSBinaryStoreType])
  func removed(_ type: String) throws {
    let context = try open(type)
    context.note("first")
    try context.save()
    try FileManager.default.removeItem(at: file)
    context.note("second")
    try context.save()
    #expect(try titles(type) == ["first", "second"])
    context.note("third")
    try context.save()
    #expect(try titles(type) == ["first", "second", "third"])
  }

  @Test("takes its metadata for changed, too", arguments: [NSXMLStoreType, NSBinaryStoreType])
  func metadata(_ type: String) throws {
    let context = try open(type)
    context.note("first")
    try context.save()
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file)
    metadata["key"] = "value"
    try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: file)
    context.note("second")
    #expect(throws: NSError.self) { try context.save() }
    let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file)
    #expect(found["key"] as? String == "value")
  }
}
