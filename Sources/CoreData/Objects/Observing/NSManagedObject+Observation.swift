extension NSManagedObject {
  /// Has those who track accesses know of one, where the class is observable.
  @inline(__always)
  final func noteAccess(_ property: PropertyNames.Index) {
    if state.contains(.observable) { followAccess(property) }
  }

  @inline(never)
  private final func followAccess(_ property: PropertyNames.Index) {
    let extras = makeExtras()
    let observation = extras.observation ?? ObjectObservation()
    extras.observation = observation
    observation.noteAccess(property)
  }

  /// Tells those who follow a property that it is about to change.
  @inline(__always)
  final func announceChange(_ property: PropertyNames.Index) {
    if state.contains(.observable) { extras?.observation?.announceChange(property) }
  }

  /// Tells those who follow the object that any of its properties may be about to change.
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
}
