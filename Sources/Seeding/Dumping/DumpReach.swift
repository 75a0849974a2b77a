/// The objects that a seed of some chosen objects has besides them.
package enum DumpReach: String, CaseIterable, Sendable {
  /// None: the seed loads into a store that has what the objects refer to, by natural keys.
  case keys
  /// What is deleted along with the objects. References to others name them by their natural keys.
  case owned
  /// All that the objects depend on, so that the seed loads into an empty store.
  case needed
}
