/// Visits objects that refer to each other by numbers, each object once, and limits their expanded size.
///
/// The walk does not recurse, so no depth exhausts the stack. The expanded size includes an object once for each
/// reference to it, because a caller that compares, copies, prints or writes the result visits it that often.
package struct ContainerWalk {
  /// The greatest depth. Real values are nested less deeply, and a caller can still walk this depth by recursion
  /// without exhausting the stack.
  package static let deepest = 512
  /// The number of objects to which even a short list may expand.
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

  /// Makes a walk.
  ///
  /// - Parameter byteCount: the size of the data in bytes. It limits the number of objects, because without sharing
  ///   each object takes at least one byte.
  package init(byteCount: Int) { largest = max(byteCount, Self.expansionAllowed) }

  /// Visits an object and all objects that can be reached from it.
  ///
  /// - Parameters:
  ///   - children: returns the objects that an object contains; called once for each object.
  ///   - leave: called for each object after the calls for all objects that it contains.
  /// - Throws: an error for an object that contains itself, for excessive depth and for excessive expansion; the
  ///   errors of the closures.
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
    // A chain that is too deep would be refused at its end, but its beginning could fill the memory before.
    guard visits.count <= Self.deepest else { throw Self.tooDeep }
    let held = try children(number)
    // The sum also limits containers that overlap in a file, because each of them is read separately.
    named += held.count
    guard named <= largest else { throw tooLarge }
    states[number] = .open
    visits.append(Visit(number: number, children: held))
  }

  private static let tooDeep = BinaryPropertyList.Failure(problem: "its objects are nested more than \(deepest) deep")

  private var tooLarge: BinaryPropertyList.Failure {
    BinaryPropertyList.Failure(problem: "its objects share what they hold, and stand for more than \(largest) of them")
  }
}
