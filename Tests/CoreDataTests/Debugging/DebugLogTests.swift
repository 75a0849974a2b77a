import CoreData
import Foundation
import Logging
import Synchronization
import Testing

@testable import CoreData

@Suite("The log of statements")
struct DebugLogTests {
  /// A log handler with its own threshold, as a server uses one.
  private struct Handler: LogHandler {
    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let store = event.metadata?["store"].map { "\($0)" } ?? ""
      let name = URL(fileURLWithPath: store).lastPathComponent
      lines.all.withLock { $0.append("\(event.level) \(name) \(event.message)") }
    }
  }

  /// The messages that a handler receives while a store with one tag is created and fetched.
  private func logged(_ settings: DebugSettings, threshold: Logger.Level = .info) throws -> [String] {
    let folder = try TemporaryFolder()
    let lines = Handler.Lines()
    let log = DebugLog(settings) {
      Logger(label: "CoreData") { _ in Handler(lines: lines, logLevel: threshold) }
    }
    let registration = StoreObservers.add(log.observer, in: folder.url.lastPathComponent)
    defer { StoreObservers.remove(registration) }
    let store = try SQLiteStore.open(folder)
    try store.save(ChangeSet(inserted: [try TestRows.tag("a\u{1B}[2J")]))
    #expect(try store.rows("Tag", "name != 'x'").count == 1)
    return lines.all.withLock { $0 }
  }

  private func insertionLine(_ lines: [String]) -> String? { lines.first { $0.contains("INSERT INTO ZTAG") } }

  @Test("statements are logged to the program's handler at the level info, with the store")
  func handler() throws {
    let lines = try logged(DebugSettings(sql: .statements))
    let insertion = try #require(insertionLine(lines))
    #expect(
      insertion.hasPrefix(
        "info store.sqlite sql: INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?) -- 1 changed, 0 rows, "
      )
    )
    #expect(lines.allSatisfy { $0.hasPrefix("info store.sqlite sql: ") && !$0.contains("\n") })
  }

  @Test("the log has bindings from level 2, rows from level 3 and plans from level 4")
  func levels() throws {
    for (level, parts) in [
      (DebugSettings.SQLLevel.statements, 0), (.bindings, 1), (.rows, 2), (.plans, 3),
    ] {
      let lines = try logged(DebugSettings(sql: level))
      let fetch = try #require(lines.first { $0.contains("FROM ZTAG t0") })
      let all = ["\n  bindings: 'x'", "\n  row: 1, ", "\n  plan: SCAN t0"]
      #expect(all.map { fetch.contains($0) } == (0..<3).map { $0 < parts }, "\(fetch)")
      #expect(!lines.contains { $0.contains("\u{1B}") })
    }
    #expect(insertionLine(try logged(DebugSettings(sql: .bindings)))?.contains("'a\\u{1B}[2J'") == true)
  }

  @Test("the log leaves out details that only another observer of the store requested")
  func otherObservers() throws {
    let folder = try TemporaryFolder()
    let all = StoreObservers.add(
      DebugLog(DebugSettings(sql: .plans)) { _ in }.observer,
      in: folder.url.lastPathComponent
    )
    defer { StoreObservers.remove(all) }
    let lines = Handler.Lines()
    let few = StoreObservers.add(
      DebugLog(DebugSettings(sql: .statements)) { line in lines.all.withLock { $0.append(line) } }.observer,
      in: folder.url.lastPathComponent
    )
    defer { StoreObservers.remove(few) }
    let store = try SQLiteStore.open(folder)
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
    let shown = lines.all.withLock { $0 }
    #expect(insertionLine(shown) != nil)
    #expect(shown.allSatisfy { !$0.contains("\n") })
  }

  @Test("nothing is logged without a request, or below the handler's threshold")
  func silence() throws {
    #expect(try logged(DebugSettings()) == [])
    #expect(try logged(DebugSettings(logsMigrations: true)) == [])
    #expect(try logged(DebugSettings(sql: .plans), threshold: .warning) == [])
  }

  @Test("a function receives the log for the duration of some work")
  func function() throws {
    let lines = Handler.Lines()
    let folder = try TemporaryFolder()
    let log = DebugLog(DebugSettings(sql: .bindings)) { line in lines.all.withLock { $0.append(line) } }
    let store = try log.during { try SQLiteStore.open(folder) }
    #expect(lines.all.withLock { $0 }.contains { $0.hasPrefix("sql: CREATE TABLE ZTAG") })
    #expect(try store.rows("Tag").isEmpty)
  }
}
