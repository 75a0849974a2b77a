import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The inspection of stores by the names of their types")
struct StoreInspectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a closed store of a type with the model of tests.
  private func makeStore(_ type: String) throws -> URL {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: folder.file()
    )
    try coordinator.remove(store)
    return folder.file()
  }

  @Test("a SQLite store is checked by the name of its type, and nothing is wrong in a new one")
  func check() throws {
    let file = try makeStore(NSSQLiteStoreType)
    #expect(StoreInspection.canCheck(NSSQLiteStoreType))
    let check = try StoreInspection.check(ofType: NSSQLiteStoreType, at: file, model: nil)
    #expect(try check.findings() == [])
  }

  @Test(
    "the check of a store that is read as a whole is refused with its place and its type",
    arguments: [NSXMLStoreType, NSBinaryStoreType]
  )
  func unchecked(_ type: String) throws {
    let file = try makeStore(type)
    #expect(!StoreInspection.canCheck(type))
    let error = try #require(
      #expect(throws: NSError.self) { try StoreInspection.check(ofType: type, at: file, model: nil) }
    )
    #expect(error.localizedDescription.contains(file.path))
    #expect(error.localizedDescription.contains("type \(type)"))
    #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
  }

  @Test("an unused store is removed if its type can show that nothing was saved in it, and stays otherwise")
  func unused() throws {
    let whole = try makeStore(NSXMLStoreType)
    #expect(try !StoreInspection.removeUnused(ofType: NSXMLStoreType, at: whole))
    #expect(FileManager.default.fileExists(atPath: whole.path))
    try FileManager.default.removeItem(at: whole)
    let file = try makeStore(NSSQLiteStoreType)
    #expect(try StoreInspection.removeUnused(ofType: NSSQLiteStoreType, at: file))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(
    "an address with a server's scheme belongs to the server's type, and a path to none",
    arguments: [
      ("postgresql://shop@host/shop?schema=notes", NSPostgreSQLStoreType),
      ("POSTGRES://host/shop", NSPostgreSQLStoreType),
      ("postgresql:/host", nil), ("/folder/postgresql://host", nil), ("memory://host", nil),
      ("Notes.sqlite", nil),
    ] as [(String, String?)]
  )
  func serverType(_ address: String, _ type: String?) {
    #expect(ServerStoreType(address: address)?.name == type)
  }

  @Test("a program without a server's stores is told the product and the trait that add them")
  func missing() throws {
    for type in ServerStoreType.all {
      #expect(type.missing.code == NSPersistentStoreInvalidTypeError)
      #expect(type.missing.localizedDescription.contains("product \(type.product)"))
      #expect(type.missing.localizedDescription.contains("trait \(type.trait)"))
      #expect(type.missing.localizedDescription.contains("type \(type.name)"))
    }
  }

  @Test("only SQLite rounds decimal numbers, and only SQLite and servers share stores between processes")
  func ofOpenStores() throws {
    for kind in StoreKind.allCases where !kind.isChild {
      let stack = try Stack(kind)
      let store = try #require(stack.coordinator.persistentStores.first)
      #expect(store.roundsDecimals == (kind == .sqlite), "\(kind)")
      #expect(store.isShared == (kind == .sqlite || kind == .postgreSQL), "\(kind)")
    }
  }
}
