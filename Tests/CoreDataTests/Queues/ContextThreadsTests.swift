import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("The threads of contexts")
struct ContextThreadsTests {
  private func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
  private func context() -> NSManagedObjectContext { NSManagedObjectContext(.privateQueue) }

  /// Contexts whose blocks all run, and wait until they are released.
  private struct Crowd {
    let door = DispatchSemaphore(value: 0)
    let contexts: [NSManagedObjectContext]

    init(_ count: Int) { contexts = (0..<count).map { _ in NSManagedObjectContext(.privateQueue) } }

    func open() { for _ in contexts { door.signal() } }
  }

  @Test("many queues at work share a few threads")
  func fewThreads() async {
    // The patience is long, so the pool does not treat the threads of a busy machine as blocked.
    let shared = ContextThreads(width: 4, patience: .seconds(3600))
    let threads = Recorder<ObjectIdentifier>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<500 {
        group.addTask { await ContextQueue(isMain: false, threads: shared).run { threads.add(thread()) } }
      }
    }
    #expect(Set(threads.elements).count <= shared.width)
    #expect(shared.count <= shared.width)
  }

  @Test("what tasks wait for goes on while blocks keep all threads, and other queues wait")
  func reserve() async {
    let threads = ContextThreads(width: 1, patience: .seconds(3600))
    let busy = ContextQueue(isMain: false, threads: threads)
    let waiting = ContextQueue(isMain: false, threads: threads)
    let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
    busy.async {
      inside.send()
      door.wait()
    }
    await inside.wait()
    waiting.async {}
    for _ in 0..<50 { await withTaskExecutorPreference(threads) { await Task.yield() } }
    #expect(threads.count <= 3)
    door.signal()
    await waiting.run {}
  }

  @Test("work waits and is not lost if the system cannot create a thread")
  func noThread() async {
    let refusals = Mutex(3)
    let threads = ContextThreads(width: 2, patience: .milliseconds(1)) { work in
      let isRefused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      return isRefused ? false : SystemThread.start(work)
    }
    await ContextQueue(isMain: false, threads: threads).run {}
    #expect(refusals.withLock { $0 } < 0)
    #expect(threads.count >= 1)
  }

  @Test("blocks that wait for the blocks of other contexts do not keep these from running")
  func waitingForOthers() async {
    let count = ContextThreads.shared.width * 3
    let crowd = Crowd(count)
    await withTaskGroup(of: Void.self) { group in
      for context in crowd.contexts { group.addTask { await context.perform { crowd.door.wait() } } }
      group.addTask { await NSManagedObjectContext(.privateQueue).perform { crowd.open() } }
    }
  }

  @Test("a block that waits for another context in performAndWait does not count as working")
  func performAndWaitInside() async {
    let inner = context()
    let door = DispatchSemaphore(value: 0)
    inner.enqueue { door.wait() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<ContextThreads.shared.width * 3 {
        let outer = context()
        group.addTask { await outer.perform { inner.performAndWait {} } }
      }
      let last = context()
      group.addTask { await last.perform { _ = door.signal() } }
    }
  }

  @Test("performAndWait runs on the thread that calls it")
  func callersThread() async {
    let context = context()
    await Task.detached {
      let caller = thread()
      context.wait { #expect(thread() == caller) }
    }.value
  }

  @Test("performAndWait waits for its turn after the earlier blocks")
  func turns() async {
    let context = context()
    let order = Recorder<Int>()
    let door = DispatchSemaphore(value: 0)
    context.enqueue {
      door.wait()
      order.add(0)
    }
    for number in 1...3 { context.enqueue { order.add(number) } }
    await Task.detached {
      door.signal()
      context.wait { order.add(4) }
    }.value
    #expect(order.elements == [0, 1, 2, 3, 4])
  }
}
