import Foundation
import Testing

@testable import CoreData

@Suite("The libraries of the system")
struct LinkedLibraryTests {
  @Test("the versions of SQLite and zlib are new enough wherever these tests pass")
  func all() {
    let libraries = LinkedLibrary.all
    #expect(libraries.map(\.name).starts(with: ["SQLite", "zlib"]))
    for library in libraries {
      #expect(library.version.wholeMatch(of: /[0-9]+(\.[0-9a-z-]+)+/) != nil, "\(library)")
      #expect(library.problems.isEmpty, "\(library)")
    }
  }

  @Test("a SQLite without RETURNING, without threads or without JSON falls short")
  func abilities() {
    func problems(_ version: Int, _ isThreadSafe: Bool, _ hasJSON: Bool) -> Int {
      SQLiteAbilities(version: version, isThreadSafe: isThreadSafe, hasJSON: hasJSON).problems.count
    }
    #expect(problems(3_035_000, true, true) == 0)
    #expect(problems(3_034_001, true, true) == 1)
    #expect(problems(3_035_000, false, true) == 1)
    #expect(problems(3_035_000, true, false) == 1)
    #expect(problems(3_008_000, false, false) == 3)
  }
}
