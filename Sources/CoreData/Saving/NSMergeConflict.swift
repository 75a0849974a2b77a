public import Foundation

/// An object that was changed in a context and that another context or process has changed since the first one read it.
///
/// Snapshots have all attributes and to-one relationships: of these the IDs, and `NSNull` where
/// there is no value. Apple's documentation of `NSMergeConflict`.
///
/// ```swift
/// for conflict in conflicts {
///   let mine = conflict.sourceObject.value(forKey: "title") ?? ""
///   let theirs = conflict.persistedSnapshot?["title"] ?? "nothing: it was deleted"
///   print("mine: \(mine), theirs: \(theirs)")
/// }
/// ```
open class NSMergeConflict: NSObject {
  /// The object whose changes could not be saved.
  public final let sourceObject: NSManagedObject
  /// The values that the object's changes started from.
  public final let objectSnapshot: [String: Any]?
  /// The values that the coordinator last knew; `nil` in the conflicts of a save, since the store itself was asked.
  public final let cachedSnapshot: [String: Any]?
  /// The values that are in the store now; `nil` when the object is gone.
  public final let persistedSnapshot: [String: Any]?
  /// The version in the store; 0 when the object is gone.
  public final let newVersionNumber: Int
  /// The version that the object's changes started from.
  public final let oldVersionNumber: Int

  /// The store's values as a row; `nil` when the object is gone.
  final let persisted: Row?

  /// Describes a conflict.
  public init(
    source: NSManagedObject,
    newVersion: Int,
    oldVersion: Int,
    cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    sourceObject = source
    objectSnapshot = source.committedRow.map(source.snapshot(of:))
    self.cachedSnapshot = cachedSnapshot
    self.persistedSnapshot = persistedSnapshot
    newVersionNumber = newVersion
    oldVersionNumber = oldVersion
    persisted = nil
    super.init()
  }

  init(source: NSManagedObject, persisted: Row?) {
    sourceObject = source
    objectSnapshot = source.committedRow.map(source.snapshot(of:))
    cachedSnapshot = nil
    persistedSnapshot = persisted.map(source.snapshot(of:))
    newVersionNumber = Int(persisted?.version ?? 0)
    oldVersionNumber = Int(source.committedRow?.version ?? 0)
    self.persisted = persisted
    super.init()
  }

  open override var description: String { describe() }
}
