import CRuntime
import Foundation
import Synchronization

/// The store classes by the names of their types.
enum StoreTypes {
  private static let registered = Mutex(own)

  private static var own: [String: any ObjectStore.Type] {
    var types: [String: any ObjectStore.Type] = [
      NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: InMemoryStore.self,
      NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
    ]
    if let linked = linkedPostgreSQLStoreClass() {
      types[NSPostgreSQLStoreType] = unsafeBitCast(linked, to: AnyClass.self) as? any ObjectStore.Type
    }
    return types
  }

  static var all: [String: any ObjectStore.Type] { registered.withLock { $0 } }

  /// - Parameter storeClass: `nil` to take the type away.
  static func register(_ storeClass: (any ObjectStore.Type)?, as type: String) {
    registered.withLock { $0[type] = storeClass }
  }

  static func storeClass(of type: String) throws -> any ObjectStore.Type {
    if let storeClass = registered.withLock({ $0[type] }) { return storeClass }
    if let server = ServerStoreType.all.first(where: { $0.name == type }) { throw server.missing }
    throw CocoaError.coreData(
      NSPersistentStoreInvalidTypeError,
      message: """
        there is no store of the type \(type); use one of \(all.keys.sorted().joined(separator: ", ")), or register \
        a class by NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:).
        """
    )
  }

  /// The type of the stores at an address: of the servers whose scheme it has, and of SQLite for a file.
  static func type(at url: URL) -> String { ServerStoreType(address: url.absoluteString)?.name ?? NSSQLiteStoreType }

  /// The URL of a store of a type that was given no address.
  static func defaultURL(of type: String) throws -> URL {
    if type == NSInMemoryStoreType { return URL(string: "memory://\(UUID().uuidString)") ?? StoreFile.nowhere }
    throw StoreFailure.operation("a \(type) store needs an address; give it the URL of a file.")
  }
}
