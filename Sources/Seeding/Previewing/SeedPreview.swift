public import CoreData
import Texts

extension Seeder {
  /// Finds the changes that a run would make in the first store of a coordinator, without making
  /// them. The store may be read-only.
  ///
  /// The records are in memory as a whole, however many there are.
  ///
  /// ```swift
  /// let preview = try Seeder(.bundle(.module, "plants.json")).preview(in: coordinator)
  /// print(preview)
  /// // + Plant "Sage"
  /// // + Plant "Thyme"
  /// ```
  ///
  /// - Throws: The `SeedError` that the run would throw, except errors that only a save causes,
  ///   such as two objects that violate a uniqueness constraint.
  public func preview(in coordinator: NSPersistentStoreCoordinator) throws -> SeedPreview {
    try SeedRun(seeder: self, coordinator: coordinator, progress: nil, isPreview: true).preview()
  }

  /// Finds out how the first store of a coordinator differs from the seeds, and changes nothing. The mode has to be
  /// `upsert`, without pruning.
  ///
  /// Missing objects are `created`, different ones `updated`, and those of the seeds' entities that the seeds have no
  /// record of `deleted`. Records without a natural key are compared with the objects that have their values.
  package func difference(in coordinator: NSPersistentStoreCoordinator) throws -> SeedPreview {
    try SeedRun(seeder: self, coordinator: coordinator, progress: nil, isPreview: true).preview(comparing: true)
  }
}

/// The changes that a run would make in a store.
///
/// ```swift
/// let preview = try Seeder(.bundle(.module, "plants.json")).preview(in: coordinator)
/// for change in preview.changes where change.kind == .updated {
///   for value in change.values { print(change.name, value.key, value.present, value.new) }
/// }
/// ```
public struct SeedPreview: Sendable {
  /// An object that the run would create, change or delete.
  public struct Change: Hashable, Sendable {
    /// The kinds of change.
    public enum Kind: String, Sendable {
      /// The object would be new.
      case created
      /// The object would have other values.
      case updated
      /// The object would be gone.
      case deleted
    }

    /// A property that the run would change.
    public struct Value: Hashable, Sendable {
      /// The name of the property.
      public let key: String

      /// The object's present value, in words; relationships by the natural keys of their destinations.
      public let present: String

      /// The value that it would have.
      public let new: String
    }

    /// The kind of change: the object would be created, updated or deleted.
    public let kind: Kind

    /// The name of the object's entity.
    public let entity: String

    /// The object's natural key in words, or the position of its record in the seed if it does not have one.
    public let name: String

    /// The properties that would change, by name; empty for objects that are created or deleted.
    public let values: [Value]
  }

  /// The counts that the run would report.
  public internal(set) var report: SeedReport

  /// The objects, by entity and name.
  public internal(set) var changes: [Change]
}

extension SeedPreview: CustomStringConvertible {
  /// A line for each change.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension SeedPreview.Change: CustomStringConvertible {
  /// One line, such as `~ Note "Hello": contents "old" -> "new"`, with `+` for a created object and
  /// `-` for a deleted one.
  public var description: String {
    let sign =
      switch kind {
      case .created: "+"
      case .updated: "~"
      case .deleted: "-"
      }
    let changes = values.map { "\($0.key) \($0.present) -> \($0.new)" }.joined(separator: "; ")
    return ("\(sign) \(entity) \(name)" + (changes.isEmpty ? "" : ": \(changes)")).onOneLine
  }
}
