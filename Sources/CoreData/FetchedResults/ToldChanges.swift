/// Changes of objects that a context has reported, once or several times.
struct ToldChanges {
  /// Objects that have come, have changed or have gone.
  var changed: [Set<NSManagedObject>] = []
  /// Objects that were saved, which changes nothing but whether their store counts them among the results.
  var saved: [Set<NSManagedObject>] = []
  /// New objects that have permanent IDs since they were saved.
  var identified: [Set<NSManagedObject>] = []
  /// True when any object may have changed.
  var isEverything = false

  var isEmpty: Bool { changed.isEmpty && saved.isEmpty && identified.isEmpty && !isEverything }

  /// The objects; one may be among them several times.
  var objects: some Sequence<NSManagedObject> { (changed + identified + saved).joined() }

  func contains(_ object: NSManagedObject) -> Bool {
    hasChanged(object) || saved.contains { $0.contains(object) }
  }

  /// Returns true when an object is to be reported as changed.
  func hasChanged(_ object: NSManagedObject) -> Bool {
    changed.contains { $0.contains(object) } || identified.contains { $0.contains(object) }
  }

  /// Adds a later report.
  ///
  /// - Parameters:
  ///   - later: the later report. An object with a new permanent ID is treated as changed.
  ///   - limit: the largest number of objects that are kept. If there are more, every object is treated as changed.
  ///   - isIncluded: returns true for the objects that matter.
  mutating func add(_ later: ToldChanges, atMost limit: Int, where isIncluded: (NSManagedObject) -> Bool) {
    if isEverything { return }
    if later.isEverything { return becomeEverything() }
    Self.add(later.changed + later.identified, to: &changed, isIncluded)
    Self.add(later.saved, to: &saved, isIncluded)
    if (changed + saved).reduce(0, { $0 + $1.count }) > limit { becomeEverything() }
  }

  private mutating func becomeEverything() {
    self = ToldChanges()
    isEverything = true
  }

  private static func add(
    _ later: [Set<NSManagedObject>],
    to all: inout [Set<NSManagedObject>],
    _ isIncluded: (NSManagedObject) -> Bool
  ) {
    let new = later.joined().filter(isIncluded)
    if new.isEmpty { return }
    if all.isEmpty { all.append([]) }
    all[0].formUnion(new)
  }
}
