import Testing

@testable import CoreData

@Suite("The steps of a wait for a lock")
struct LockWaitTests {
  @Test("pauses of a wait are short at first, a tenth of a second at most, and end with the timeout")
  func pauses() {
    let wait = LockWait()
    func pause(_ tries: Int, _ waited: Double, _ limit: Double) -> Duration? {
      wait.pause(after: tries, waited: .seconds(waited), limit: .seconds(limit))
    }
    #expect(
      [0, 1, 2, 6, 7, .max].map { pause($0, 0, 60) } == [1, 2, 4, 64, 100, 100].map { .milliseconds($0) }
    )
    #expect(pause(20, 59.96875, 60) == .microseconds(31_250))
    #expect(pause(-1, 0, 60) == .milliseconds(1))
  }

  @Test("a wait ends with the timeout, and at once without one")
  func end() {
    let wait = LockWait()
    #expect(wait.pause(after: 0, waited: .zero, limit: .zero) == nil)
    #expect(wait.pause(after: 9, waited: .seconds(5), limit: .seconds(5)) == nil)
    #expect(wait.pause(after: 9, waited: .seconds(6), limit: .seconds(5)) == nil)
  }

  @Test("an observer of a wait is called once, after a second")
  func telling() {
    var wait = LockWait()
    let told = [0, 0.5, 0.999, 1, 1.1, 50].map { wait.isToBeTold(waited: .seconds($0)) }
    #expect(told == [false, false, false, true, false, false])
  }
}
