import Foundation
import Testing

@testable import CoreData

@Suite("Confinement")
struct ConfinementTests {
  /// Enables the check for the current process, which is a test's own.
  private static func debug() { setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1) }

  @Test("the check is switched on by Apple's argument or by the environment")
  func switches() {
    let argument = "-com.apple.CoreData.ConcurrencyDebug"
    for isDebugBuild in [true, false] {
      func mode(_ arguments: [String], _ variable: String? = nil) -> ConcurrencyDebug.Mode {
        ConcurrencyDebug.Mode(arguments: arguments, variable: variable, isDebugBuild: isDebugBuild)
      }
      #expect(mode(["program", argument, "1"]) == .stop)
      #expect(mode([argument, "YES"]) == .stop)
      #expect(mode([argument, "log"]) == .log)
      #expect(mode([argument, "0"]) == .off)
      #expect(mode([], "1") == .stop)
      #expect(mode([], "log") == .log)
      #expect(mode([argument, "1"], "0") == .off)
    }
  }

  @Test("a debug build logs, and a release build checks nothing, unless asked for")
  func unasked() throws {
    let argument = "-com.apple.CoreData.ConcurrencyDebug"
    for arguments in [[], [argument], ["1"]] {
      #expect(
        ConcurrencyDebug.Mode(arguments: arguments, variable: nil, isDebugBuild: true) == .log
      )
      #expect(
        ConcurrencyDebug.Mode(arguments: arguments, variable: nil, isDebugBuild: false) == .off
      )
    }
  }

  @Test("a context is used without its queue if nothing enforces confinement")
  func lenient() throws {
    #expect(ConcurrencyDebug.mode != .stop)
    #expect(try Stack(.inMemory).note("one").title == "one")
  }

  @Test("work on the context's queue passes the check", arguments: [true, false])
  func held(_ isSQLite: Bool) async {
    if isSQLite {
      await #expect(processExitsWith: .success) { try ConfinementTests.work(.sqlite) }
    } else {
      await #expect(processExitsWith: .success) { try ConfinementTests.work(.childOfInMemory) }
    }
  }

  private static func work(_ kind: StoreKind) throws {
    debug()
    let stack = try Stack(kind)
    try stack.context.performAndWait {
      let note = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
      try stack.context.save()
      note.title = "two"
      stack.context.refresh(note, mergeChanges: true)
      precondition(note.title == "two" && note.tags.count == 1)
      stack.context.rollback()
      let name = try stack.fetch(Note.self).first?.category?.name
      precondition(name == "c")
    }
  }

  @Test("inserting outside of the queue stops the program")
  func inserting() async {
    await #expect(processExitsWith: .failure) {
      ConfinementTests.debug()
      _ = try Stack(.inMemory).note("one")
    }
  }

  @Test("fetching outside of the queue stops the program")
  func fetching() async {
    await #expect(processExitsWith: .failure) {
      ConfinementTests.debug()
      _ = try Stack(.inMemory).fetch(Note.self)
    }
  }

  @Test("reading a value outside of the queue stops the program, and names object, context and remedy")
  func reading() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ConfinementTests.debug()
      let stack = try Stack(.inMemory)
      stack.context.name = "import"
      let note = stack.context.performAndWait { UncheckedSendable(stack.note("one")) }
      _ = note.value.title
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("the context \"import\""))
    #expect(text.contains("Note x-coredata:"))
    #expect(text.contains("performAndWait"))
  }

  @Test("setting a value outside of the queue stops the program")
  func setting() async {
    await #expect(processExitsWith: .failure) {
      ConfinementTests.debug()
      let stack = try Stack(.inMemory)
      let note = stack.context.performAndWait { UncheckedSendable(stack.note("one")) }
      note.value.rating = 1
    }
  }

  @Test("saving outside of the queue stops the program")
  func saving() async {
    await #expect(processExitsWith: .failure) {
      ConfinementTests.debug()
      try Stack(.inMemory).context.save()
    }
  }
}
