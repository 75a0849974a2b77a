public import Foundation

/// The kind of a request to a store.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
}

/// A request to the stores of a coordinator: the superclass of fetch and batch requests.
open class NSPersistentStoreRequest: NSObject {
  /// The stores that are asked; `nil` for all.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of the request. Subclasses of an application must override it.
  open var requestType: NSPersistentStoreRequestType {
    fatalError("\(Swift.type(of: self)) must override requestType.")
  }

  final var storeIndexes: Set<Int32>? { affectedStores.map { Set($0.map(\.index)) } }

  open override var description: String { ObjectHead.text(self) }
}
