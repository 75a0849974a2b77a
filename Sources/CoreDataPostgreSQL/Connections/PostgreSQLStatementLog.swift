#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Reports the statements of a store's connections to its observers.
  struct PostgreSQLStatementLog {
    private let store: String
    private let observers: [StoreObserver]
    private let details: StatementDetails

    /// Called with each new connection. If there is no observer of the store, nothing is logged and no time is spent.
    ///
    /// - Parameter store: the URL of the store, without its password.
    static func install(on connection: PostgreSQLConnection, of store: String) {
      let all = StoreObservers.all(of: store)
      for observer in all { observer.opened(store) }
      let observers = all.filter { $0.details != nil }
      if observers.isEmpty { return }
      let log = PostgreSQLStatementLog(
        store: store,
        observers: observers,
        details: observers.reduce(into: []) { $0.formUnion($1.details ?? []) }
      )
      connection.didRun = { log.tell(of: $0) }
    }

    private func tell(of run: PostgreSQLRun) {
      var statement = ExecutedStatement(store: store, sql: run.sql)
      if details.contains(.bindings) { statement.bindings = run.values.map(Self.value) }
      statement.rowCount = run.result?.rowCount ?? 0
      statement.changeCount = run.changedCount
      statement.duration = run.duration
      if details.contains(.rows), let result = run.result {
        statement.rows = (0..<min(result.rowCount, StatementText.mostRows)).map { row in
          (0..<result.columnCount).map { result.cell(row, column: $0).map(Self.value) ?? .null }
        }
      }
      for observer in observers {
        if let details = observer.details { observer.executed(statement.with(details)) }
      }
    }

    private static func value(_ value: PostgreSQLValue) -> SQLValue {
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .bytes(let data): .blob(data)
      }
    }

    private static func value(_ cell: PostgreSQLCell) -> SQLValue {
      if let number = cell.integer { return .integer(number) }
      if let uuid = cell.uuid { return .text(uuid.uuidString.lowercased()) }
      // Decimals come before reals, because a number of 38 digits is logged with all of them.
      if let decimal = cell.decimal { return .text(decimal.description) }
      if let real = cell.real { return .real(real) }
      return cell.type == PostgreSQLType.bytea ? .blob(Data(cell.bytes)) : .text(cell.text)
    }
  }
#endif
