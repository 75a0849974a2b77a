/// A queue in which the first element in is the first one out.
package struct FIFOQueue<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { head == elements.count }
  @inlinable package var count: Int { elements.count - head }
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  @inlinable package func contains(where matches: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(matches) ?? false }
  }

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable package mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= Self.mostKept)
      head = 0
    } else if head >= Self.mostKept, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map { !isRemoved($0) } ?? false }
    head = 0
  }

  @usableFromInline static var mostKept: Int { 64 }
}
