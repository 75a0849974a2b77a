import Observation

extension NSManagedObject {
  /// Registers an access with the observers that track accesses, if the class is observable, and checks confinement.
  @inline(__always)
  final func recordAccess(_ property: PropertyNames.Index) {
    if !state.isDisjoint(with: [.observable, .guarded]) { followAccess(property) }
  }

  @inline(never)
  private final func followAccess(_ property: PropertyNames.Index) {
    checkConfinement()
    if !state.contains(.observable) { return }
    let extras = ensureExtras()
    let observation = extras.observation ?? ObjectObservation()
    extras.observation = observation
    observation.recordAccess(property)
  }

  /// Notifies the observers of a property that it is about to change.
  @inline(__always)
  final func announceChange(_ property: PropertyNames.Index) {
    if state.contains(.observable) { extras?.observation?.announceChange(property) }
  }

  /// Notifies the observers of the object that any of its properties may be about to change.
  @inline(__always)
  final func announceChanges() {
    if state.contains(.observable) { announceAll() }
  }

  @inline(never)
  private final func announceAll() {
    guard let observation = extras?.observation else { return }
    for slot in layout.slots.indices { observation.announceChange(slot) }
    for index in layout.toMany.indices { observation.announceChange(-1 - index) }
  }

  /// Notifies the observers of the properties that are about to get the store's values, if those differ from the
  /// object's. If the store's values are unknown, the observers of all properties are notified.
  final func announceRefresh(_ channel: any ObjectChannel) {
    guard let observation = extras?.observation else { return }
    if hasChanges { return announceAll() }
    let row = rowAtHand
    let stored = row == nil ? nil : try? channel.row(of: reference, layout: layout)?.row
    for slot in layout.slots.indices {
      if let row, let stored, !layout.slots[slot].isTransient, stored.hasEqualValue(row, slot: slot) { continue }
      observation.announceChange(slot)
    }
    for index in layout.toMany.indices where !hasDestinations(index, in: channel) {
      observation.announceChange(-1 - index)
    }
  }

  /// Returns true when a to-many relationship is known, and the store has the same of it.
  private final func hasDestinations(_ index: Int, in channel: any ObjectChannel) -> Bool {
    guard let toMany = extras?.toMany, index < toMany.count, let members = toMany[index]?.members?.objects,
      let stored = try? channel.destinations(of: index, from: reference, layout: layout)
    else { return false }
    let present = members.map(\.reference)
    return layout.toMany[index].isOrdered ? present == stored : Set(present) == Set(stored)
  }
}

/// The followers of an object by Swift's Observation: the properties of it that were read in `withObservationTracking`.
///
/// Properties are identified by numbers from `PropertyNames`, instead of key paths of the object's class.
final class ObjectObservation: Observable {
  private let registrar = ObservationRegistrar()

  /// Represents a property; it is never read.
  private subscript(property: Int) -> Int { property }

  private typealias Path = KeyPath<ObjectObservation, Int> & Sendable

  /// The key paths of the first properties: making a key path costs more than following it does.
  private static let nearPaths: [Path] = (-64..<64).map { makePath($0) }

  private static func path(_ property: Int) -> Path {
    if nearPaths.indices.contains(property + 64) { return nearPaths[property + 64] }
    return makePath(property)
  }

  private static func makePath(_ property: Int) -> Path { \ObjectObservation.[property] }

  func recordAccess(_ property: PropertyNames.Index) { registrar.access(self, keyPath: Self.path(property)) }

  func announceChange(_ property: PropertyNames.Index) { registrar.willSet(self, keyPath: Self.path(property)) }
}
