import CoreData
import GRDBSQLite

/// The least cost of fetching a person by name: SQLite's C API, the predicate, and an object that a map finds
/// by its key.
enum PersonFloor {
  private final class Object: FloorObject {
    let age: Int64
    let name: String

    init(_ key: Int64, _ age: Int64, _ name: String, in map: FloorMap) {
      (self.age, self.name) = (age, name)
      super.init(key, in: map)
    }
  }

  static func predicate(_ name: String) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "name"),
      rightExpression: NSExpression(forConstantValue: name),
      modifier: .direct,
      type: .equalTo
    )
  }

  static func byName(_ raw: RawSQLite, _ names: [String], _ expected: Int64) -> Contender {
    Contender(SampleFloors.name) {
      let map = FloorMap()
      var sum: Int64 = 0
      try raw.eachPerson(names.lazy.map { predicate($0) }) { key, age, name in
        sum &+= Object(key, age, name, in: map).age
      }
      precondition(sum == expected)
    }
  }
}

extension RawSQLite {
  /// Calls the body with the person whose name is in each predicate.
  fileprivate func eachPerson(
    _ predicates: some Sequence<NSPredicate>,
    _ body: (Int64, Int64, String) -> Void
  ) throws {
    let statement = try prepare("SELECT Z_PK, Z_OPT, ZAGE, ZNAME FROM ZPERSON WHERE ZNAME = ?")
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for predicate in predicates {
      guard let name = (predicate as? NSComparisonPredicate)?.rightExpression.constantValue as? String else {
        throw Failure(description: "a predicate without a name")
      }
      sqlite3_bind_text(statement, 1, name, -1, transient)
      guard sqlite3_step(statement) == SQLITE_ROW else { throw Failure(description: "no \(name)") }
      body(sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 2), text(statement, 3))
      sqlite3_reset(statement)
    }
  }
}
