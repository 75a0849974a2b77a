import CoreData
import Foundation

/// Fetches the objects of one page of a grid, beginning at a place that a sort value and a key name:
/// no row before it is read.
///
/// The order is that of the sort value, and of the keys among equal ones; objects without a value come
/// first, or last where the order is descending. A page that begins at a value is fetched in pieces,
/// each of which an index answers: the rest of the rows with the same value, those with others, those
/// without any.
struct GridPager {
  let request: NSFetchRequest<NSManagedObject>
  let sort: GridQuery.Sort?
  let position: GridPosition?
  /// True when the rows are fetched in the grid's own order.
  private let isForward: Bool
  /// The order in which rows are fetched.
  private let isAscending: Bool

  /// A part of the rows that one statement finds.
  struct Piece {
    let predicate: NSPredicate?
    let span: KeySpan
  }

  init(_ request: NSFetchRequest<NSManagedObject>, sort: GridQuery.Sort?, position: GridPosition?) {
    self.request = request
    self.sort = sort
    self.position = position
    isForward = position?.direction != .before
    isAscending = (sort?.isAscending ?? true) == isForward
  }

  /// The objects of the page in the grid's order, and whether there are more beyond it.
  func objects(atMost size: Int, in context: NSManagedObjectContext) throws -> (
    objects: [NSManagedObject], isMore: Bool
  ) {
    var found: [NSManagedObject] = []
    for piece in pieces where found.count <= size {
      found += try context.fetch(request(for: piece, limit: size + 1 - found.count), in: piece.span)
    }
    let isMore = found.count > size
    let objects = Array(found.prefix(size))
    return (isForward ? objects : objects.reversed(), isMore)
  }

  /// The request of a piece.
  func request(for piece: Piece, limit: Int) -> NSFetchRequest<NSManagedObject> {
    let copy = NSFetchRequest<NSManagedObject>(entityName: request.entityName ?? "")
    let parts = [request.predicate, piece.predicate].compactMap { $0 }
    copy.predicate =
      parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    copy.sortDescriptors = sort.map { [NSSortDescriptor(key: $0.attribute, ascending: isAscending)] }
    copy.relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
    copy.includesPropertyValues = request.includesPropertyValues
    copy.fetchLimit = limit
    return copy
  }

  /// The parts of the rows, in the order in which they are fetched.
  var pieces: [Piece] {
    let all = KeySpan(isAscending: isAscending)
    guard let key = position?.key else { return [Piece(predicate: nil, span: all)] }
    let beyond = KeySpan(
      lower: isAscending ? key : nil,
      upper: isAscending ? nil : key,
      isAscending: isAscending
    )
    guard let sort else { return [Piece(predicate: nil, span: beyond)] }
    let attribute = sort.attribute
    guard let value = position?.value?.constant else {
      let rest = Piece(predicate: NSPredicate(format: "%K == NULL", attribute), span: beyond)
      let others = Piece(predicate: NSPredicate(format: "%K != NULL", attribute), span: all)
      return isAscending ? [rest, others] : [rest]
    }
    let same = Piece(predicate: NSPredicate(format: "%K == %@", attribute, value), span: beyond)
    let order = isAscending ? "%K > %@" : "%K < %@"
    let others = Piece(predicate: NSPredicate(format: order, attribute, value), span: all)
    let none = Piece(predicate: NSPredicate(format: "%K == NULL", attribute), span: all)
    return isAscending ? [same, others] : [same, others, none]
  }
}
