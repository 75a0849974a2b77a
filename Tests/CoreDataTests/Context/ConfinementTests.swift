import Foundation
import Testing

@testable import CoreData

@Suite("Confinement")
struct ConfinementTests {
  /// Switches the check on; for a process of its own.
  private static func debug() { setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1) }

  @Test("the check is switched on by Apple's argument or by the environment")
  func switches() {
    let argument = "-com.apple.CoreData.ConcurrencyDebug"
    #expect(ConcurrencyDebug.isAskedFor(by: ["program", argument, "1"], or: nil))
    #expect(ConcurrencyDebug.isAskedFor(by: [argument, "YES"], or: nil))
    #expect(!ConcurrencyDebug.isAskedFor(by: [argument, "0"], or: nil))
    #expect(!ConcurrencyDebug.isAskedFor(by: [argument], or: nil))
    #expect(!ConcurrencyDebug.isAskedFor(by: ["1"], or: nil))
    #expect(ConcurrencyDebug.isAskedFor(by: [], or: "1"))
    #expect(!ConcurrencyDebug.isAskedFor(by: [argument, "1"], or: "0"))
  }

  @Test("nothing is checked unless asked for")
  func off() throws {
    #expect(!ConcurrencyDebug.isOn)
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
