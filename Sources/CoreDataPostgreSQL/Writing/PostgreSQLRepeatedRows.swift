#if PostgreSQL
  import CoreData

  /// The rows of a batch insertion. It keeps the first ones so that the insertion can begin again, because
  /// the source provides each row only once.
  final class PostgreSQLRepeatedRows {
    /// A larger insertion releases the rows that were kept.
    private static let mostRows = 1_000

    private let insertion: BatchInsertion
    private var rows: [BatchRow] = []
    private var isAtEnd = false
    /// True as long as all rows that were provided are kept.
    private(set) var canRepeat = true

    init(_ insertion: BatchInsertion) { self.insertion = insertion }

    /// The insertion of all rows.
    func fromBeginning() -> BatchInsertion {
      var index = 0
      return BatchInsertion(
        layout: insertion.layout,
        stores: insertion.stores,
        mergeType: insertion.mergeType,
        wantsReferences: insertion.wantsReferences,
        next: { [self] in
          if index < rows.count {
            index += 1
            return rows[index - 1]
          }
          if isAtEnd { return nil }
          guard let row = try next() else { return nil }
          index += canRepeat ? 1 : 0
          return row
        },
        origin: insertion.origin
      )
    }

    /// A row that was not handed out yet.
    private func next() throws -> BatchRow? {
      let row: BatchRow?
      do {
        row = try insertion.next()
      } catch {
        canRepeat = false
        throw error
      }
      guard let row else {
        isAtEnd = true
        return nil
      }
      if canRepeat, rows.count < Self.mostRows {
        rows.append(row)
      } else {
        canRepeat = false
        rows = []
      }
      return row
    }
  }
#endif
