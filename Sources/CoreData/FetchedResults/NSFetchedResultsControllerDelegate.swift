public import Foundation

/// A kind of change of an object or a section of fetched results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// The object or the section is new in the results.
  case insert = 1
  /// The object or the section is no longer in the results.
  case delete = 2
  /// The object has another place among those that did not change. It may have changed otherwise too.
  case move = 3
  /// The object has changed, and stays where it is among the others.
  case update = 4
}

/// A section of fetched results.
public protocol NSFetchedResultsSectionInfo: AnyObject {
  /// The name of the section: the value of the controller's `sectionNameKeyPath`, as text.
  var name: String { get }

  /// The title of the section in an index.
  var indexTitle: String? { get }

  /// The number of objects in the section.
  var numberOfObjects: Int { get }

  /// The objects of the section, in their order.
  var objects: [Any]? { get }
}

/// Receives the changes of fetched results. Every method is optional.
///
/// For one set of changes, the methods are called in this order: `controllerWillChangeContent`, new sections, objects
/// (deleted, inserted, moved, updated), deleted sections, `controllerDidChangeContent`. Index paths before the changes
/// refer to the results before all of them, and new index paths to the results after all of them. If a delegate
/// implements `controller(_:didChangeContentWith:)` and the results have no sections, only that method is called.
/// Apple's documentation of `NSFetchedResultsControllerDelegate`, and suites that pass with its framework: the
/// documentation has all sections in front.
///
/// The controller that is passed has the result type `any NSFetchRequestResult`, whatever the type of the original one;
/// the two are equal by `==`. A method is called only if it is declared in the class that declares the conformance.
///
/// ```swift
/// final class NoteList: NSObject, NSFetchedResultsControllerDelegate {
///   private(set) var lines: [String] = []
///
///   func controller(
///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
///     didChange anObject: Any,
///     at indexPath: IndexPath?,
///     for type: NSFetchedResultsChangeType,
///     newIndexPath: IndexPath?
///   ) {
///     lines.append("\(type) \((anObject as? Note)?.title ?? "")")
///   }
/// }
/// ```
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// Reports all changes at once, by the IDs of the objects. A changed object that keeps its place
  /// is reported as removed and inserted again.
  ///
  /// ```swift
  /// final class NoteTable: NSObject, NSFetchedResultsControllerDelegate {
  ///   var rows: [NSManagedObjectID] = []
  ///
  ///   func controller(
  ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
  ///     didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ///   ) {
  ///     rows = rows.applying(diff) ?? rows
  ///   }
  /// }
  /// ```
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  )

  /// Tells what became of one object.
  ///
  /// - Parameters:
  ///   - controller: the controller whose results have changed.
  ///   - anObject: the object.
  ///   - indexPath: its place before the changes; `nil` for an insertion.
  ///   - type: the kind of the change.
  ///   - newIndexPath: its place after the changes; `nil` for a deletion.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  )

  /// Tells that a section came or went.
  ///
  /// - Parameters:
  ///   - controller: the controller whose results have changed.
  ///   - sectionInfo: the section, as it is after the changes, or as it was where it is gone.
  ///   - sectionIndex: the index before the changes of a section that went, or after them of one that came.
  ///   - type: the kind of the change: an insertion or a deletion.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  )

  /// Called before the changes are reported. The results have already changed.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// Called after all changes have been reported.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The title of a section in an index; its first letter in upper case unless implemented.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.results.delegateAcceptsDifferences = false
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {}

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.results.titleOfController(sectionName)
  }
}
