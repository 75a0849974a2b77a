import Testing

@testable import CoreData

@Suite("The steps of a wait for a lock")
struct LockWaitTests {
  @Test("pauses are short at first, a tenth of a second at most, and never past the end")
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

  @Test("the end is when the time is up, at once where there is none")
  func end() {
    let wait = LockWait()
    #expect(wait.pause(after: 0, waited: .zero, limit: .zero) == nil)
    #expect(wait.pause(after: 9, waited: .seconds(5), limit: .seconds(5)) == nil)
    #expect(wait.pause(after: 9, waited: .seconds(6), limit: .seconds(5)) == nil)
  }

  @Test("somebody is told once, when a second has passed")
  func telling() {
    var wait = LockWait()
    let told = [0, 0.5, 0.999, 1, 1.1, 50].map { wait.isToBeTold(waited: .seconds($0)) }
    #expect(told == [false, false, false, true, false, false])
  }
}
