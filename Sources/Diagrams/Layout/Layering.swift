/// The first step: assigns a column to each box of a connected graph.
///
/// Directed lines lead to the right. The step breaks a cycle of directed lines by ignoring one of them. A local
/// search then looks for short lines in columns of about equal height: each box in turn moves to the column with
/// the least cost, until no box moves.
struct Layering {
  private let graph: LayoutGraph
  /// The lines at each box, except lines from a box to itself.
  private let linesAt: [[Int]]
  /// True for the directed lines that lead to the right. The line that closes a cycle is false.
  private var isKept: [Bool]
  /// The height that a column should not exceed.
  private let height: Double
  /// The number of columns.
  private var count: Int
  private var heights: [Double] = []
  private var columns: [Int]

  /// Prepares the search.
  ///
  /// - Parameter aspect: the desired ratio of the picture's width to its height.
  init(_ graph: LayoutGraph, aspect: Double) {
    self.graph = graph
    var linesAt = [[Int]](repeating: [], count: graph.boxes.count)
    for (index, line) in graph.lines.enumerated() where line.from.box != line.to.box {
      linesAt[line.from.box].append(index)
      linesAt[line.to.box].append(index)
    }
    self.linesAt = linesAt
    isKept = graph.lines.map(\.isDirected)
    let channel = 70.0
    var area = 0.0
    var tallest = 0.0
    var width = 0.0
    for box in graph.boxes {
      area += (box.width + channel) * (box.height + Spacing.boxes)
      tallest = max(tallest, box.height)
      width += box.width + channel
    }
    // In a small graph, two boxes may share a column whatever their heights.
    height = max(tallest * 1.6, (area / aspect).squareRoot() * 1.15)
    let mean = width / Double(max(1, graph.boxes.count))
    count = max(1, Int(((area * aspect).squareRoot() / mean).rounded(.up)))
    columns = [Int](repeating: 0, count: graph.boxes.count)
  }

  /// Returns the column of each box. Every column contains a box.
  mutating func run() -> [Int] {
    let depth = placeByDepth()
    count = max(count, depth + 1)
    scale(depth)
    heights = [Double](repeating: 0, count: count)
    for box in columns.indices { heights[columns[box]] += graph.boxes[box].height + Spacing.boxes }
    for _ in 0..<24 where !improve() { break }
    return withoutEmptyColumns()
  }

  /// Places each box in the column that is the length of the longest path of directed lines to it. It ignores the
  /// line that closes a cycle.
  ///
  /// - Returns: the length of the longest path.
  private mutating func placeByDepth() -> Int {
    enum State { case new, open, done }
    var states = [State](repeating: .new, count: columns.count)
    var deepest = 0
    for start in columns.indices where states[start] == .new {
      // The path is an array instead of a recursion, because a hierarchy may be deeper than the stack.
      var way: [(box: Int, next: Int)] = [(start, 0)]
      states[start] = .open
      while let (box, next) = way.last {
        let lines = linesAt[box]
        guard next < lines.count else {
          states[box] = .done
          way.removeLast()
          deepest = max(deepest, columns[box])
          continue
        }
        way[way.count - 1].next += 1
        let line = graph.lines[lines[next]]
        // The search follows lines from right to left, so that a box's depth is known when the search returns to it.
        guard line.isDirected, line.to.box == box else { continue }
        switch states[line.from.box] {
        case .new:
          states[line.from.box] = .open
          way[way.count - 1].next -= 1
          way.append((line.from.box, 0))
        case .open: isKept[lines[next]] = false
        case .done: columns[box] = max(columns[box], columns[line.from.box] + 1)
        }
      }
    }
    return deepest
  }

  /// Spreads the boxes over the columns.
  ///
  /// The column of a box without directed lines follows from its distance in lines from the box with the most lines.
  private mutating func scale(_ depth: Int) {
    var distances = [Int](repeating: -1, count: columns.count)
    let first = columns.indices.max { linesAt[$0].count < linesAt[$1].count } ?? 0
    var queue = [first]
    distances[first] = 0
    var head = 0
    while head < queue.count {
      let box = queue[head]
      head += 1
      for index in linesAt[box] {
        let other = otherEnd(of: index, from: box)
        if distances[other] < 0 {
          distances[other] = distances[box] + 1
          queue.append(other)
        }
      }
    }
    for box in columns.indices where !linesAt[box].contains(where: { isKept[$0] }) {
      columns[box] = min(count - 1, max(0, distances[box]))
    }
  }

  private func otherEnd(of index: Int, from box: Int) -> Int {
    let line = graph.lines[index]
    return line.from.box == box ? line.to.box : line.from.box
  }

  /// Moves each box to the column with the least cost.
  ///
  /// - Returns: true when a box moved.
  private mutating func improve() -> Bool {
    var isChanged = false
    for box in columns.indices where !linesAt[box].isEmpty {
      let room = graph.boxes[box].height + Spacing.boxes
      let present = columns[box]
      heights[present] -= room
      var best = present
      var least = cost(of: box, in: present, room: room) - 0.01
      for column in candidates(box) where column != present {
        let cost = cost(of: box, in: column, room: room)
        if cost < least { (best, least) = (column, cost) }
      }
      heights[best] += room
      if best != present {
        columns[box] = best
        isChanged = true
      }
    }
    return isChanged
  }

  /// Returns the columns near those of the box's neighbors.
  private func candidates(_ box: Int) -> ClosedRange<Int> {
    var (least, most) = (columns[box], columns[box])
    for index in linesAt[box].prefix(64) {
      let column = columns[otherEnd(of: index, from: box)]
      (least, most) = (min(least, column), max(most, column))
    }
    let center = columns[box]
    return max(0, least - 2, center - 24)...min(count - 1, most + 2, center + 24)
  }

  private func cost(of box: Int, in column: Int, room: Double) -> Double {
    var cost = 0.0
    for index in linesAt[box] {
      let line = graph.lines[index]
      let isFrom = line.from.box == box
      let distance = (isFrom ? columns[line.to.box] - column : column - columns[line.from.box])
      if isKept[index] {
        // A long line that runs next to others to the same end adds no further line to the picture.
        cost += distance < 1 ? 60 * Double(1 - distance) : 0.6 * Double(distance - 1)
      } else {
        cost += distance == 0 ? 1.6 : (distance < 0 ? 0.15 : 0) + Double(abs(distance) - 1)
      }
    }
    let excess = heights[column] + room - height
    if excess > 0 { cost += 4 * excess / (room + 40) }
    return cost
  }

  private func withoutEmptyColumns() -> [Int] {
    let used = Set(columns).sorted()
    var numbers = [Int](repeating: 0, count: count)
    for (number, column) in used.enumerated() { numbers[column] = number }
    return columns.map { numbers[$0] }
  }
}
