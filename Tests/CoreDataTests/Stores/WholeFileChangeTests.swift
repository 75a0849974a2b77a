import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("An atomic store whose file another program changes while it is open")
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
    "a save does not overwrite another program's changes; the store accepts it after it was added again",
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

  @Test("a save writes all objects if the file was removed", arguments: [NSXMLStoreType, NSBinaryStoreType])
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

  @Test("a new store does not replace one that another program creates at the same time, but opens it")
  func made() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      SlowerStore.self,
      type: NSPersistentStore.StoreType(rawValue: "Slower")
    )
    let theirs = try open(NSXMLStoreType)
    theirs.note("theirs")
    try theirs.save()
    let aside = folder.file("aside")
    try FileManager.default.moveItem(at: file, to: aside)
    SlowerFormat.meanwhile.withLock {
      $0 = { [file] in try FileManager.default.copyItem(at: aside, to: file) }
    }
    let mine = try open("Slower")
    mine.note("mine")
    try mine.save()
    #expect(try titles(NSXMLStoreType) == ["mine", "theirs"])
  }

  @Test("changed metadata are detected like changes", arguments: [NSXMLStoreType, NSBinaryStoreType])
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

/// A store in XML that takes some time to generate its text.
private final class SlowerStore: AtomicFileStore, @unchecked Sendable {
  override class var format: any AtomicFormat.Type { SlowerFormat.self }
  override var type: String { NSXMLStoreType }
}

private enum SlowerFormat: AtomicFormat {
  /// A closure that runs once while a store generates its text.
  static let meanwhile = Mutex<(@Sendable () throws -> Void)?>(nil)
  static let storeType = NSXMLStoreType

  static func data(of document: AtomicDocument) throws -> Data {
    let work = meanwhile.withLock { work in
      defer { work = nil }
      return work
    }
    try work?()
    return try XMLStoreFormat.data(of: document)
  }

  static func data(_ data: Data, with metadata: StoreMetadata, file: URL) throws -> Data {
    try XMLStoreFormat.data(data, with: metadata, file: file)
  }

  static func metadata(in data: Data, file: URL) throws -> StoreMetadata {
    try XMLStoreFormat.metadata(in: data, file: file)
  }

  static func document(
    in data: Data,
    file: URL,
    model: NSManagedObjectModel,
    ignoresUnknown: Bool
  ) throws -> AtomicDocument {
    try XMLStoreFormat.document(in: data, file: file, model: model, ignoresUnknown: ignoresUnknown)
  }
}
