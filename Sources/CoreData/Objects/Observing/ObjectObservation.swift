import Observation

/// The followers of an object by Swift's Observation: the properties of it that were read in
/// `withObservationTracking`.
///
/// Properties are told apart by numbers, as `PropertyNames` gives them, in the place of key paths
/// of the object's class.
final class ObjectObservation: Observable {
  private let registrar = ObservationRegistrar()

  /// Stands for a property; it is never read.
  private subscript(property: Int) -> Int { property }

  private typealias Path = KeyPath<ObjectObservation, Int> & Sendable

  /// Those of the first properties: making a key path costs more than following it does.
  private static let nearPaths: [Path] = (-64..<64).map { makePath($0) }

  private static func path(_ property: Int) -> Path {
    if nearPaths.indices.contains(property + 64) { return nearPaths[property + 64] }
    return makePath(property)
  }

  private static func makePath(_ property: Int) -> Path { \ObjectObservation.[property] }

  func recordAccess(_ property: PropertyNames.Index) {
    registrar.access(self, keyPath: Self.path(property))
  }

  func announceChange(_ property: PropertyNames.Index) {
    registrar.willSet(self, keyPath: Self.path(property))
  }
}
