/// Objects whose values are fetched together, when the first of them is used.
// Immutable.
final class FaultBatch: @unchecked Sendable {
  /// The entity that was fetched.
  let entity: NSEntityDescription
  /// The index of the objects' store.
  let store: Int32
  let keys: [Int64]
  /// The relationships that come with the objects.
  let keyPaths: [String]

  init(entity: NSEntityDescription, store: Int32, keys: [Int64], keyPaths: [String]) {
    self.entity = entity
    self.store = store
    self.keys = keys
    self.keyPaths = keyPaths
  }
}
