public import CoreData

extension Seeder {
  /// Finds out what a run would change in the first store of a coordinator, and changes nothing.
  /// The store may be read-only.
  ///
  /// The records are in memory as a whole, however many there are.
  ///
  /// - Throws: The `SeedError` that the run would throw, but for those that only a save brings
  ///   about, such as two objects that break a uniqueness constraint.
  public func preview(in coordinator: NSPersistentStoreCoordinator) throws -> SeedPreview {
    try SeedRun(self, coordinator, nil, isPreview: true).preview()
  }
}
