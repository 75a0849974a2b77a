package import CoreData
package import Foundation

/// Counts the changes that a fetched results controller reports.
package final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
  package private(set) var changes = 0

  package override init() { super.init() }

  package func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    changes += 1
  }
}
