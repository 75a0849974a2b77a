import Testing

@testable import CoreData

@Suite("The settings of a program's log")
struct DebugSettingsTests {
  private func settings(_ arguments: [String], _ environment: [String: String] = [:]) -> DebugSettings {
    DebugSettings(arguments: ["program"] + arguments, environment: environment)
  }

  @Test(
    "an argument with a level from 1 to 4 enables the log",
    arguments: zip(
      ["1", "2", "3", "4", "9", "YES", "true", "0", "-1", "no", "x", "", "99999999999999999999"],
      [1, 2, 3, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0]
    )
  )
  func levels(_ word: String, _ level: Int) {
    #expect(settings(["-com.apple.CoreData.SQLDebug", word]).sql.rawValue == level)
    #expect(settings([], ["COREDATA_SQL_DEBUG": word]).sql.rawValue == level)
    #expect(settings(["-com.apple.CoreData.MigrationDebug", word]).logsMigrations == (level > 0))
    #expect(settings([], ["COREDATA_MIGRATION_DEBUG": word]).logsMigrations == (level > 0))
  }

  @Test("the log is off without argument and variable, and without a level after the argument")
  func nothing() {
    #expect(settings([]).isOff)
    #expect(settings(["-com.apple.CoreData.SQLDebug"]).isOff)
    #expect(settings(["com.apple.CoreData.SQLDebug", "1"]).isOff)
  }

  @Test("the environment overrides the arguments, and the last argument overrides the others")
  func both() {
    let arguments = ["-com.apple.CoreData.SQLDebug", "1", "-com.apple.CoreData.SQLDebug", "3"]
    #expect(settings(arguments).sql == .rows)
    #expect(settings(arguments, ["COREDATA_SQL_DEBUG": "0"]).isOff)
    #expect(settings(arguments, ["COREDATA_MIGRATION_DEBUG": "1"]) == .init(sql: .rows, logsMigrations: true))
  }
}
