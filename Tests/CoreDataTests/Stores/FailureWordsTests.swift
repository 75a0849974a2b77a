import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

#if PostgreSQL
  @testable import CoreDataPostgreSQL
  @testable import PostgreSQLDriver
#endif

/// The same error may come from a save that was rolled back, or from work after the commit.
@Suite("Errors that are made without knowing the work that failed")
struct FailureWordsTests {
  private let file = URL(fileURLWithPath: "/tmp/notes.sqlite")

  private func expectNoClaim(_ error: any Error) {
    let words = error.localizedDescription
    #expect(!words.contains(/(?i)nothing (was|is)|as it was/), "\(words)")
    #expect(words.hasPrefix("It failed: ") && words.contains("/tmp/notes.sqlite"))
    #expect(!words.contains("  ") && !words.hasSuffix(" "))
  }

  @Test("SQLite errors make no claim about the store's state", arguments: (1...28).map { Int32($0) })
  func sqlite(_ code: Int32) {
    for extended in [code, code | 1 << 8, code | 3 << 8] {
      let error = DatabaseError(resultCode: ResultCode(rawValue: extended))
      expectNoClaim(SQLiteFailure.error(error, file: file, doing: "It failed"))
    }
  }

  @Test("errors of closed stores and expired calls make no claim about the store's state")
  func ends() {
    expectNoClaim(SQLiteFailure.error(StoreClosing(), file: file, doing: "It failed"))
    let late = StoreCallEnded(end: .late, subject: "at work on the store").error(file: file)
    #expect(!late.localizedDescription.contains("nothing was saved"))
  }

  #if PostgreSQL
    @Test(
      "PostgreSQL errors make no claim about the store's state",
      arguments: ["08001", "08006", "25006", "40001", "40P01", "42P01", "53100", "55P03", "57P01", "XX000"]
    )
    func postgreSQL(_ state: String) {
      let error = PostgreSQLError(state: state, message: "it broke")
      expectNoClaim(PostgreSQLFailure.error(error, store: file, doing: "It failed"))
      expectNoClaim(PostgreSQLFailure.error(StoreClosing(), store: file, doing: "It failed"))
    }
  #endif
}
