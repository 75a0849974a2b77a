import CoreData
import Foundation
import Testing

/// Links, pipes and devices at the location of a store.
@Suite("Stores at links, pipes and devices")
struct SpecialFileTests {
  private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)

  init() throws { folder = try TemporaryFolder() }

  private func kind(_ url: URL) -> mode_t? {
    var status = stat()
    return lstat(url.path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private func expectUse(of url: URL, fails type: String, _ kind: mode_t) {
    let options = [NSPersistentStoreForceDestroyOption: true]
    #expect(throws: NSError.self) {
      try coordinator.destroyPersistentStore(at: url, ofType: type, options: options)
    }
    #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    }
    #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    }
    #expect(self.kind(url) == kind)
  }

  @Test("a pipe is never removed, replaced, read or used as a store", arguments: types)
  func pipe(_ type: String) throws {
    let url = folder.file("pipe")
    #expect(mkfifo(url.path, 0o600) == 0)
    expectUse(of: url, fails: type, S_IFIFO)
    let other = folder.file("other")
    try coordinator.remove(coordinator.addPersistentStore(ofType: type, configurationName: nil, at: other))
    #expect(throws: NSError.self) {
      try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, ofType: type)
    }
    #expect(kind(url) == S_IFIFO)
    // Reading a database leaves an empty log and its index next to it.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted() == ["other", "pipe"])
  }

  @Test(
    "a device is never removed, replaced, read or used as a store",
    .enabled(if: geteuid() == 0, "only root makes devices"),
    arguments: types
  )
  func device(_ type: String) throws {
    let url = folder.file("null")
    guard mknod(url.path, S_IFCHR | 0o666, dev_t(1 << 8 | 3)) == 0 else { return }
    expectUse(of: url, fails: type, S_IFCHR)
  }

  @Test("the null device is never removed", arguments: types)
  func null(_ type: String) throws {
    for path in ["/dev/null", "/dev/./null", "//dev/null"] {
      try? coordinator.destroyPersistentStore(
        at: URL(fileURLWithPath: path),
        ofType: type,
        options: [NSPersistentStoreForceDestroyOption: true]
      )
      #expect(kind(URL(fileURLWithPath: "/dev/null")) == S_IFCHR)
    }
  }

  @Test("a link leads to a store, is written through, and stays", arguments: types)
  func link(_ type: String) throws {
    let (link, target) = (folder.file("link"), folder.file("target"))
    try coordinator.remove(coordinator.addPersistentStore(ofType: type, configurationName: nil, at: target))
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: link)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let note = Note(context: context)
    note.title = "a"
    note.setValue(Data(count: 200_000), forKey: "body")
    try context.save()
    try coordinator.remove(store)
    #expect(kind(link) == S_IFLNK)
    #expect(throws: NSError.self) {
      try coordinator.destroyPersistentStore(
        at: link,
        ofType: type,
        options: [NSPersistentStoreForceDestroyOption: true]
      )
    }
    #expect(kind(link) == S_IFLNK)
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: target)
    let fetched = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    #expect(fetched.map(\.title) == ["a"])
    #expect((fetched.first?.value(forKey: "body") as? Data)?.count == 200_000)
  }
}
