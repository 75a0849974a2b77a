import CoreData
import Foundation

/// Fetches the objects of one page of a grid, beginning at a place that a sort value and a key name:
/// no row before it is read.
///
/// The order is that of the sort value, and of the keys among equal ones; objects without a value come
/// first, or last where the order is descending. A page that begins at a value is fetched in pieces,
/// each of which an index answers: the rest of the rows with the same value, those with others, those
/// without any. Where there is no index a store goes over all rows for each piece, and so there is one.
struct GridPager {
  let request: NSFetchRequest<NSManagedObject>
  let sort: GridQuery.Sort?
  let position: GridPosition?
  /// True when the store has an index of the attribute that the grid is sorted by.
  let isIndexed: Bool
  /// True when the rows are fetched in the grid's own order.
  private let isForward: Bool
  /// The order in which rows are fetched.
  private let isAscending: Bool

  /// A part of the rows that one statement finds.
  struct Piece {
    let predicate: NSPredicate?
    let span: KeySpan
    /// Holds for the rows that the span does not bound.
    var beyond: NSPredicate?
  }

  init(
    _ request: NSFetchRequest<NSManagedObject>,
    sort: GridQuery.Sort?,
    position: GridPosition?,
    isIndexed: Bool
  ) {
    self.request = request
    self.sort = sort
    self.position = position
    self.isIndexed = isIndexed
    isForward = position?.direction != .before
    isAscending = (sort?.isAscending ?? true) == isForward
  }

  /// The objects of the page in the grid's order, and whether there are more beyond it.
  func objects(atMost size: Int, in context: NSManagedObjectContext) throws -> (
    objects: [NSManagedObject], isMore: Bool
  ) {
    var found: [NSManagedObject] = []
    for piece in pieces where found.count <= size {
      let request = request(for: piece, limit: size + 1 - found.count)
      found += try context.fetch(request, in: piece.span, or: piece.beyond)
    }
    let isMore = found.count > size
    let objects = Array(found.prefix(size))
    return (isForward ? objects : objects.reversed(), isMore)
  }

  /// The request of a piece.
  func request(for piece: Piece, limit: Int) -> NSFetchRequest<NSManagedObject> {
    let copy = NSFetchRequest<NSManagedObject>(entityName: request.entityName ?? "")
    // Of each row it takes less to tell on which page it is.
    let parts = [piece.predicate, request.predicate].compactMap { $0 }
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
    let rest = GridRemainder(attribute: sort.attribute, value: position?.value?.constant, isAscending: isAscending)
    guard isIndexed else { return [Piece(predicate: rest.all, span: beyond, beyond: rest.behind)] }
    return [Piece(predicate: rest.same, span: beyond)]
      + rest.parts.map { Piece(predicate: $0, span: all) }
  }
}

/// The rows from a value of a sorted attribute on, as predicates.
private struct GridRemainder {
  /// The rows with the value itself.
  let same: NSPredicate
  /// The rows behind them, in parts that an index answers, in order.
  let parts: [NSPredicate]
  /// All of the rows, in few words, as each row of a table is asked; `nil` for any row.
  let all: NSPredicate?

  /// - Parameter value: `nil` for rows without a value, which come before all others.
  init(attribute: String, value: Any?, isAscending: Bool) {
    let none = NSPredicate(format: "%K == NULL", attribute)
    guard let value else {
      same = none
      all = isAscending ? nil : none
      parts = isAscending ? [NSPredicate(format: "%K != NULL", attribute)] : []
      return
    }
    same = NSPredicate(format: "%K == %@", argumentArray: [attribute, value])
    let others = NSPredicate(format: isAscending ? "%K > %@" : "%K < %@", argumentArray: [attribute, value])
    parts = isAscending ? [others] : [others, none]
    let atValue = NSPredicate(
      format: isAscending ? "%K >= %@" : "%K <= %@",
      argumentArray: [attribute, value]
    )
    all = isAscending ? atValue : NSCompoundPredicate(orPredicateWithSubpredicates: [atValue, none])
  }

  /// The rows behind those with the value; `nil` where there are none.
  var behind: NSPredicate? {
    parts.isEmpty ? nil : NSCompoundPredicate(orPredicateWithSubpredicates: parts)
  }
}
