import CoreData
import Foundation

/// Fetches the objects of one page of a grid. The page begins at a sort value and a key, and no row before that
/// position is read.
///
/// The rows are ordered by the sort value, and by key if the values are equal. Objects without a value come
/// first, or last if the order is descending.
///
/// If the attribute has an index, the page is fetched in up to three pieces, each of which the index answers:
/// the remaining rows with the same value, rows with other values, and rows without a value. If there is no
/// index, the store would scan all rows for each piece, and therefore a single statement fetches the page.
struct GridPager {
  let request: NSFetchRequest<NSManagedObject>
  let sort: GridQuery.Sort?
  let position: GridPosition?
  /// True if the store has an index of the sorted attribute.
  let isIndexed: Bool
  /// True if the rows are fetched in the grid's own order.
  private let isForward: Bool
  /// The direction in which the rows are fetched.
  private let isAscending: Bool

  /// A part of the rows, which one statement fetches.
  struct Piece {
    let predicate: NSPredicate?
    let span: KeySpan
    /// Selects the rows that the span does not restrict.
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

  /// The objects of the page in the grid's order, and whether there are more after it.
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
    // The position's predicate comes first, because it is the cheaper test of a row.
    let parts = [piece.predicate, request.predicate].compactMap { $0 }
    copy.predicate = parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    copy.sortDescriptors = sort.map { [NSSortDescriptor(key: $0.attribute, ascending: isAscending)] }
    copy.relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
    copy.includesPropertyValues = request.includesPropertyValues
    copy.fetchLimit = limit
    return copy
  }

  /// The pieces, in the order in which they are fetched.
  var pieces: [Piece] {
    let all = KeySpan(isAscending: isAscending)
    guard let key = position?.key else { return [Piece(predicate: nil, span: all)] }
    let beyond = KeySpan(lower: isAscending ? key : nil, upper: isAscending ? nil : key, isAscending: isAscending)
    guard let sort else { return [Piece(predicate: nil, span: beyond)] }
    let rest = GridRemainder(attribute: sort.attribute, value: position?.value?.constant, isAscending: isAscending)
    guard isIndexed else { return [Piece(predicate: rest.all, span: beyond, beyond: rest.after)] }
    return [Piece(predicate: rest.same, span: beyond)]
      + rest.parts.map { Piece(predicate: $0, span: all) }
  }
}

/// Predicates for the rows from a value of the sorted attribute on.
private struct GridRemainder {
  /// The rows with the value.
  let same: NSPredicate
  /// The rows after those with the value, in parts that an index answers, in order.
  let parts: [NSPredicate]
  /// All of the rows, as a short predicate that is evaluated for each row of a table; `nil` if every row qualifies.
  let all: NSPredicate?

  /// - Parameter value: `nil` for rows without a value, which precede all others.
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
    let atValue = NSPredicate(format: isAscending ? "%K >= %@" : "%K <= %@", argumentArray: [attribute, value])
    all = isAscending ? atValue : NSCompoundPredicate(orPredicateWithSubpredicates: [atValue, none])
  }

  /// The rows after those with the value; `nil` if there are no such rows.
  var after: NSPredicate? { parts.isEmpty ? nil : NSCompoundPredicate(orPredicateWithSubpredicates: parts) }
}
