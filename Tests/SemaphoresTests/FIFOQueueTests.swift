import TestSupport
import Testing

@testable import Semaphores

@Suite("A queue that is first in, first out")
struct FIFOQueueTests {
  @Test(
    "A queue returns its elements in order, and removes some of them, as an array does",
    arguments: 0..<20
  )
  func model(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var queue = FIFOQueue<Int>()
    var model: [Int] = []
    for number in 0..<2_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0:
        queue.removeAll { $0.isMultiple(of: 3) }
        model.removeAll { $0.isMultiple(of: 3) }
      case 1..<48: #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      default:
        queue.append(number)
        model.append(number)
      }
      #expect(queue.count == model.count && queue.isEmpty == model.isEmpty && queue.first == model.first)
    }
    for element in model { #expect(queue.contains { $0 == element } && queue.popFirst() == element) }
    #expect(queue.popFirst() == nil)
  }
}
