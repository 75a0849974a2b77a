/// Goes through objects that refer to each other by numbers, each object once, and bounds what they
/// stand for.
///
/// It does not recurse, so that no depth exhausts the stack. An object counts as often as it is
/// named, because whoever compares, copies, prints or writes what was read goes through all of it.
package struct ContainerWalk {
  /// Deeper than anyone nests values, and short of what exhausts the stack of those who walk them
  /// by recursion.
  package static let deepest = 512
  /// Lists of fewer bytes may still expand to this many objects.
  private static let expansionAllowed = 1_000_000

  private struct Visit {
    let number: Int
    let children: [Int]
    var next = 0
    var height = 0
    var count = 1
  }

  private enum State {
    case open
    case done(height: Int, count: Int)
  }

  private var states: [Int: State] = [:]
  private var visits: [Visit] = []
  private let largest: Int
  private var named = 0

  /// - Parameter byteCount: the size of the data. Without sharing, each object takes a byte or
  ///   more.
  package init(byteCount: Int) { largest = max(byteCount, Self.expansionAllowed) }

  /// Visits an object and all that it leads to.
  ///
  /// - Parameters:
  ///   - children: answers the objects that one holds; called once for each.
  ///   - leave: called for each object once all that it holds have been left.
  /// - Throws: an error for an object that holds itself, for depth and for expansion; what the
  ///   closures throw.
  package mutating func run(
    from root: Int,
    children: (Int) throws(BinaryPropertyList.Failure) -> [Int],
    leave: (Int) throws(BinaryPropertyList.Failure) -> Void = { _ in }
  ) throws(BinaryPropertyList.Failure) {
    if states[root] == nil { try enter(root, children) }
    while var visit = visits.popLast() {
      guard visit.next < visit.children.count else {
        try leave(visit.number)
        states[visit.number] = .done(height: visit.height, count: visit.count)
        continue
      }
      let child = visit.children[visit.next]
      switch states[child] {
      case .open: throw BinaryPropertyList.Failure(problem: "an object holds itself")
      case .done(let height, let count):
        visit.next += 1
        visit.height = max(visit.height, height + 1)
        visit.count += count
        guard visit.height < Self.deepest else { throw Self.tooDeep }
        guard visit.count <= largest else { throw tooLarge }
        visits.append(visit)
      case nil:
        visits.append(visit)
        try enter(child, children)
      }
    }
  }

  private mutating func enter(
    _ number: Int,
    _ children: (Int) throws(BinaryPropertyList.Failure) -> [Int]
  ) throws(BinaryPropertyList.Failure) {
    // A chain that is deeper is refused when it ends; its beginning must not fill the memory
    // before.
    guard visits.count <= Self.deepest else { throw Self.tooDeep }
    let held = try children(number)
    // Containers that lie over each other in a file are read one by one.
    named += held.count
    guard named <= largest else { throw tooLarge }
    states[number] = .open
    visits.append(Visit(number: number, children: held))
  }

  private static let tooDeep = BinaryPropertyList.Failure(
    problem: "its objects are nested more than \(deepest) deep"
  )

  private var tooLarge: BinaryPropertyList.Failure {
    BinaryPropertyList.Failure(
      problem: "its objects share what they hold, and stand for more than \(largest) of them"
    )
  }
}
