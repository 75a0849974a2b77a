/// A line in which the first one in is the first one out.
struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  func contains(where matches: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(matches) ?? false }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
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

  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map { !isRemoved($0) } ?? false }
    head = 0
  }

  private static var mostKept: Int { 64 }
}
