import Foundation
import SQLiteDriver

/// Finds out which uniqueness constraint an error of SQLite is about, and describes it.
struct SQLiteBrokenConstraint {
  /// SQLite's, which names the columns.
  let error: DatabaseError
  let schema: SQLSchema

  /// SQLite says `UNIQUE constraint failed: ZPERSON.ZFIRSTNAME, ZPERSON.ZLASTNAME`.
  var constraint: SQLConstraint? {
    let names = (error.message ?? "").split(separator: ":").last.map { part in
      part.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).uppercased() }
    }
    return schema.constraints.first { constraint in
      names == constraint.columns.map { "\(constraint.table).\($0)".uppercased() }
    }
  }

  /// - Parameter row: the values that break the constraint.
  func failure(_ row: Row?, layout: EntityLayout, file: URL) -> any Error {
    SQLConstraintFailure(file: file)
      .error(
        constraint,
        row: row,
        layout: layout,
        details: [NSSQLiteErrorDomain: Int(error.extendedResultCode.rawValue)]
      )
  }
}
