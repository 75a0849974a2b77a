package import CoreData

extension NSEntityDescription {
  /// The entity and all that inherit from it.
  package var family: [NSEntityDescription] {
    [self] + subentities.sorted { $0.name ?? "" < $1.name ?? "" }.flatMap(\.family)
  }
}
