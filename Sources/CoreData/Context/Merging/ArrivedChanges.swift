/// The changes that came to a context's objects from outside since changes were last processed.
struct ArrivedChanges {
  /// New objects that others saved.
  var inserted: [NSManagedObject] = []
  /// Objects that were brought up to date.
  var refreshed: [NSManagedObject] = []

  var isEmpty: Bool { inserted.isEmpty && refreshed.isEmpty }
}
