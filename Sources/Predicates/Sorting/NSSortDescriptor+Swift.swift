public import Foundation

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Converts Foundation's `SortDescriptor`, made of a key path.
  ///
  /// Texts are sorted by the codes of their characters, as `SortDescriptor` sorts them here with
  /// the comparator `.lexical`. A descriptor that compares otherwise than by a key path, and a key
  /// path whose names cannot be found, are a programmer's error and stop the program.
  public init<Compared>(_ sortDescriptor: Foundation.SortDescriptor<Compared>) {
    guard let keyPath = sortDescriptor.keyPath else {
      fatalError("NSSortDescriptor(_:): make the SortDescriptor from a key path, not from a comparator.")
    }
    self.init(key: KeyPathNames.requiredName(of: keyPath), ascending: sortDescriptor.order == .forward)
  }
}
