import Testing

@testable import CoreData

@Suite("How often writers wait for the log")
struct LogRestartsTests {
  private let start = ContinuousClock.now

  /// Simulates tries that take as long as they may wait for readers. Returns the pauses after each of them.
  private func pauses(_ outcomes: [Bool], _ restarts: inout SQLiteLogRestarts) -> [Duration] {
    outcomes.map { isDone in
      let end = start.advanced(by: restarts.patience)
      restarts.record(isDone: isDone, from: start, to: end)
      return end.duration(to: restarts.next)
    }
  }

  @Test("the pause is at least ten times the wait, and the patience grows after a failed try")
  func patience() {
    var restarts = SQLiteLogRestarts()
    #expect(restarts.patience == .seconds(1))
    #expect(pauses([false], &restarts) == [.seconds(10)])
    #expect(restarts.patience == .seconds(2))
    #expect(pauses([true, true, true], &restarts) == [.seconds(20), .seconds(20), .seconds(20)])
    #expect(restarts.patience == .seconds(2))
  }

  @Test("the pause grows while a reader never ends, until a try succeeds")
  func endless() {
    var restarts = SQLiteLogRestarts()
    let pauses = pauses(Array(repeating: false, count: 5), &restarts)
    #expect(pauses == [10, 40, 80, 80, 80].map { .seconds($0) })
    #expect(restarts.patience == .seconds(2))
    #expect(self.pauses([true, false], &restarts) == [.seconds(20), .seconds(40)])
  }

  @Test("a try that did not have to wait is followed by the next one at once")
  func idle() {
    var restarts = SQLiteLogRestarts()
    restarts.record(isDone: true, from: start, to: start)
    #expect(restarts.next == start)
    #expect(restarts.patience == .seconds(1))
  }
}
