import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Semaphores

@Suite("A fair semaphore")
struct FairSemaphoreTests {
  /// The reason for which a wait ends.
  private enum End: Error { case late, cancelled, closed }

  /// A list that threads append to.
  private final class Log<Element: Sendable>: Sendable {
    private let state = Mutex<[Element]>([])
    var elements: [Element] { state.withLock { $0 } }
    func add(_ element: Element) { state.withLock { $0.append(element) } }
    func removeLast() -> Element? { state.withLock { $0.popLast() } }
  }

  /// The number of threads that have a permit.
  private final class Inside: Sendable {
    private let state = Mutex(0)
    func enter() -> Int {
      state.withLock { count in
        count += 1
        return count
      }
    }
    func leave() { state.withLock { $0 -= 1 } }
  }

  /// Runs work on a new thread, and suspends the caller until it is done.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: work()) }.start()
    }
  }

  private func untilWaiting(_ count: Int, for semaphore: FairSemaphore) async {
    while semaphore.waitingCount != count { await Task.yield() }
  }

  /// Releases a permit, and runs the work that gets it.
  private func release(_ semaphore: FairSemaphore) {
    while let work = semaphore.release() { work() }
  }

  /// Waits on a new thread.
  ///
  /// - Returns: the error with which the wait ended.
  private func acquire(
    _ semaphore: FairSemaphore,
    until limit: ContinuousClock.Instant? = nil,
    willWait: @escaping @Sendable (FairWaiter) -> Void = { _ in },
    then work: @escaping @Sendable () -> Void = {}
  ) async -> End? {
    await onThread {
      do {
        try semaphore.acquire(until: limit, willWait: willWait) { End.late }
        work()
        return nil
      } catch {
        return error as? End
      }
    }
  }

  @Test("Threads, tasks and work get a permit in the order of their arrival")
  func order() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    let order = Log<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<9 {
        switch number % 3 {
        case 0:
          group.addTask {
            let work = { @Sendable in
              order.add(number)
              release(semaphore)
            }
            let error = await acquire(semaphore, then: work)
            #expect(error == nil)
          }
        case 1:
          let waiter = FairWaiter(
            .task { result in
              order.add(number)
              #expect(throws: Never.self) { try result.get() }
              release(semaphore)
            }
          )
          #expect(!semaphore.acquire(waiter))
        default:
          let work: FairSemaphore.Work = { order.add(number) }
          #expect(!semaphore.acquire(for: work))
        }
        await untilWaiting(number + 1, for: semaphore)
      }
      release(semaphore)
    }
    #expect(order.elements == Array(0..<9))
    #expect(semaphore.usedCount == 0 && semaphore.waitingCount == 0)
  }

  @Test("There are never more permits in use than the semaphore has")
  func bound() {
    let semaphore = FairSemaphore(permits: 3)
    for used in 1...3 {
      #expect(semaphore.acquireIfFree())
      #expect(semaphore.usedCount == used)
    }
    #expect(!semaphore.acquireIfFree())
    semaphore.release()
    #expect(semaphore.acquireIfFree())
  }

  @Test("A wait ends at its limit with an error, and the permit goes to the next waiter")
  func limit() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    async let next = acquire(semaphore)
    await untilWaiting(1, for: semaphore)
    #expect(await acquire(semaphore, until: .now) == .late)
    #expect(await acquire(semaphore, until: .now + .milliseconds(5)) == .late)
    #expect(semaphore.waitingCount == 1)
    semaphore.release()
    #expect(await next == nil)
    #expect(semaphore.usedCount == 1)
  }

  @Test("A permit that is free is taken even if the limit has passed")
  func passedLimit() async {
    let semaphore = FairSemaphore()
    #expect(await acquire(semaphore, until: .now - .seconds(1)) == nil)
  }

  @Test("A limit after more than a century does not end a wait")
  func farLimit() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    async let waiting = acquire(semaphore, until: .now + .seconds(1 << 34))
    await untilWaiting(1, for: semaphore)
    semaphore.release()
    #expect(await waiting == nil)
  }

  @Test("A cancelled thread gets the error, and the permit goes to the waiter after it")
  func cancelledThread() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    let waiters = Log<FairWaiter>()
    async let cancelled = acquire(semaphore, willWait: { waiters.add($0) })
    await untilWaiting(1, for: semaphore)
    async let next = acquire(semaphore)
    await untilWaiting(2, for: semaphore)
    while waiters.elements.isEmpty { await Task.yield() }
    #expect(semaphore.end(waiters.elements[0], with: End.cancelled))
    #expect(await cancelled == .cancelled)
    #expect(semaphore.waitingCount == 1)
    #expect(!semaphore.end(waiters.elements[0], with: End.late))
    semaphore.release()
    #expect(await next == nil)
  }

  @Test("A wait that ends before the thread blocks ends the wait")
  func endedAtOnce() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    #expect(await acquire(semaphore, willWait: { semaphore.end($0, with: End.cancelled) }) == .cancelled)
    #expect(semaphore.waitingCount == 0)
  }

  @Test("A waiter that has its permit cannot be cancelled")
  func grantedFirst() {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    let outcomes = Log<Bool>()
    let waiter = FairWaiter(.task { outcomes.add((try? $0.get()) != nil) })
    #expect(!semaphore.acquire(waiter))
    semaphore.release()
    #expect(!semaphore.end(waiter, with: End.cancelled))
    #expect(outcomes.elements == [true] && semaphore.usedCount == 1)
  }

  @Test("Work that has the permit can be cancelled until it begins, and the permit is not lost")
  func cancelledWork() throws {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    let (begun, ran) = (FairWaiter(.work), Log<Int>())
    let cancelled = FairWaiter(.work)
    let skipped = FairWaiter(.work)
    for (number, waiter) in [skipped, cancelled, begun].enumerated() {
      let work: FairSemaphore.Work = { if waiter.begin() { ran.add(number) } }
      #expect(!semaphore.acquire(for: work, waiter: waiter))
    }
    #expect(semaphore.end(skipped, with: End.cancelled))
    #expect(semaphore.waitingCount == 2)
    let first = try #require(semaphore.release())
    #expect(semaphore.end(cancelled, with: End.cancelled))
    #expect(semaphore.waitingCount == 1)
    first()
    let second = try #require(semaphore.release())
    second()
    #expect(!semaphore.end(begun, with: End.cancelled))
    #expect(ran.elements == [2])
    #expect(semaphore.release() == nil)
    #expect(semaphore.usedCount == 0 && semaphore.waitingCount == 0)
  }

  @Test("A closed semaphore ends all waits and refuses new callers, except those that may enter it")
  func closing() async {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree() && !semaphore.isClosed)
    async let thread = acquire(semaphore)
    await untilWaiting(1, for: semaphore)
    let ends = Log<End?>()
    func waiter() -> FairWaiter {
      FairWaiter(.task { result in if case .failure(let error) = result { ends.add(error as? End) } })
    }
    #expect(!semaphore.acquire(waiter()))
    semaphore.close(with: End.closed)
    #expect(await thread == .closed)
    #expect(ends.elements == [.closed])
    semaphore.release()
    #expect(semaphore.isClosed && semaphore.usedCount == 0 && semaphore.waitingCount == 0)
    #expect(!semaphore.acquireIfFree())
    #expect(!semaphore.acquire(waiter()))
    #expect(ends.elements == [.closed, .closed])
    #expect(await acquire(semaphore) == .closed)
    #expect(semaphore.acquireIfFree(evenIfClosed: true))
  }

  @Test("A waiter is urgent when half of its time is over, and not after its wait")
  func urgency() {
    let semaphore = FairSemaphore()
    #expect(semaphore.acquireIfFree())
    #expect(!semaphore.acquire(FairWaiter(.task { _ in })))
    #expect(!semaphore.acquire(FairWaiter(.task { _ in }, until: .now + .seconds(86_400))))
    #expect(!semaphore.isUrgent)
    let late = FairWaiter(.task { _ in }, until: .now - .seconds(1))
    #expect(!semaphore.acquire(late))
    #expect(semaphore.isUrgent)
    semaphore.end(late, with: End.late)
    #expect(!semaphore.isUrgent)
  }

  @Test("An action waits until all permits are free, while waiters still get them")
  func idle() {
    let semaphore = FairSemaphore(permits: 2)
    let log = Log<String>()
    semaphore.whenIdle { log.add("at once") }
    #expect(semaphore.acquireIfFree() && semaphore.acquireIfFree())
    semaphore.whenIdle { log.add("idle") }
    #expect(!semaphore.acquire(FairWaiter(.task { _ in log.add("waiter") })))
    semaphore.release()
    semaphore.release()
    #expect(log.elements == ["at once", "waiter"])
    semaphore.release()
    #expect(log.elements == ["at once", "waiter", "idle"])
  }

  // MARK: - Random calls

  /// The semaphore as a counter and an array.
  private struct Model {
    var free: Int
    var waiting: [Int] = []
    var granted: [Int] = []
    var ended: [Int] = []

    mutating func acquire(_ number: Int) {
      if free == 0 { return waiting.append(number) }
      free -= 1
      granted.append(number)
    }

    mutating func release() {
      if waiting.isEmpty { free += 1 } else { granted.append(waiting.removeFirst()) }
    }

    mutating func end(_ number: Int) -> Bool {
      guard let index = waiting.firstIndex(of: number) else { return false }
      waiting.remove(at: index)
      ended.append(number)
      return true
    }
  }

  @Test("Random calls have the same outcome as a counter and an array", arguments: 0..<50)
  func model(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let permits = Int.random(in: 1...4, using: &random)
    let semaphore = FairSemaphore(permits: permits)
    var model = Model(free: permits)
    let (granted, ended) = (Log<Int>(), Log<Int>())
    var waiters: [(number: Int, waiter: FairWaiter)] = []
    for number in 0..<2_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let waiter = FairWaiter(
          .task { result in
            if case .success = result { granted.add(number) } else { ended.add(number) }
          }
        )
        if semaphore.acquire(waiter) { granted.add(number) } else { waiters.append((number, waiter)) }
        model.acquire(number)
      case 3:
        let work: FairSemaphore.Work = { granted.add(number) }
        if semaphore.acquire(for: work) { work() }
        model.acquire(number)
      case 4:
        let waiter = FairWaiter(.work)
        let work: FairSemaphore.Work = { if waiter.begin() { granted.add(number) } }
        if semaphore.acquire(for: work, waiter: waiter) { work() } else { waiters.append((number, waiter)) }
        model.acquire(number)
      case 5..<8:
        guard let index = waiters.indices.randomElement(using: &random) else { continue }
        let (number, waiter) = waiters.remove(at: index)
        let isEnded = semaphore.end(waiter, with: End.cancelled)
        if isEnded, ended.elements.last != number { ended.add(number) }
        #expect(isEnded == model.end(number), "seed \(seed), call \(number)")
      default:
        guard model.free < permits else { continue }
        semaphore.release()?()
        model.release()
      }
      #expect(semaphore.waitingCount == model.waiting.count, "seed \(seed), call \(number)")
      #expect(semaphore.usedCount == permits - model.free, "seed \(seed), call \(number)")
    }
    #expect(granted.elements == model.granted, "seed \(seed)")
    #expect(ended.elements == model.ended, "seed \(seed)")
  }

  @Test("No wake-up is lost while many threads wait, are cancelled and reach their limits", arguments: 1...3)
  func threads(_ permits: Int) async {
    let semaphore = FairSemaphore(permits: permits)
    let inside = Inside()
    let waiters = Log<FairWaiter>()
    let outcomes = Log<End?>()
    let (threadCount, rounds) = (8, 500)
    // A lost wake-up would leave a thread waiting, and the group would not end.
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<threadCount {
        group.addTask {
          await onThread {
            var random = SplitMix(seed: UInt64(thread))
            for _ in 0..<rounds {
              if Int.random(in: 0..<4, using: &random) == 0, let waiter = waiters.removeLast() {
                semaphore.end(waiter, with: End.cancelled)
              }
              let isShort = Int.random(in: 0..<8, using: &random) == 0
              do {
                try semaphore.acquire(
                  until: isShort ? .now + .microseconds(50) : nil,
                  willWait: { waiter in waiters.add(waiter) },
                  late: { End.late }
                )
                #expect(inside.enter() <= permits)
                inside.leave()
                semaphore.release()
                outcomes.add(nil)
              } catch {
                outcomes.add(error as? End)
              }
            }
          }
        }
      }
    }
    #expect(outcomes.elements.count == threadCount * rounds)
    #expect(semaphore.usedCount == 0 && semaphore.waitingCount == 0)
    #expect((0..<permits).allSatisfy { _ in semaphore.acquireIfFree() } && !semaphore.acquireIfFree())
  }
}
