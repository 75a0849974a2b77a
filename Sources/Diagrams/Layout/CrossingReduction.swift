/// The second step: orders the items in each column, so that few lines cross.
///
/// The search passes over the columns alternately from left to right and from right to left. It sorts the items of
/// each column by the ends of their links, then swaps neighbors where that removes crossings. The best order of all
/// rounds is kept. The number of rounds depends only on the size of the graph.
struct CrossingReduction {
  private var graph: ColumnGraph
  /// The upper edge of each item, relative to the middle of its column. The items are stacked without free space.
  private var tops: [Double]

  init(_ graph: ColumnGraph) {
    self.graph = graph
    tops = [Double](repeating: 0, count: graph.items.count)
  }

  /// Returns the graph with ordered columns.
  mutating func run() -> ColumnGraph {
    for column in graph.columns.indices { stack(column) }
    let size = graph.links.count + graph.items.count
    let rounds = max(2, min(14, 12_000 / max(1, size)))
    var best = graph.columns
    var fewest = crossings()
    for round in 0..<rounds where fewest > 0 {
      let isForward = round % 2 == 0
      for column in isForward ? Array(graph.columns.indices) : graph.columns.indices.reversed() {
        sort(column, byLeft: isForward, byBoth: round > 3)
      }
      if size < 3000 { exchangeNeighbours() }
      let count = crossings()
      if count < fewest { (best, fewest) = (graph.columns, count) }
    }
    graph.columns = best
    return graph
  }

  /// Computes the positions of a column's items, stacked in their order.
  private mutating func stack(_ column: Int) {
    var top = 0.0
    var previous: Int?
    for item in graph.columns[column] {
      if let previous { top += graph.gap(previous, lower: item) }
      tops[item] = top
      top += graph.items[item].height
      previous = item
    }
    for item in graph.columns[column] { tops[item] -= top / 2 }
  }

  private func position(_ pin: ColumnGraph.Pin) -> Double { tops[pin.item] + pin.offset }

  /// Sorts a column by the mean position of the ends of each item's links.
  private mutating func sort(_ column: Int, byLeft: Bool, byBoth: Bool) {
    var keys: [(place: Double, item: Int)] = []
    keys.reserveCapacity(graph.columns[column].count)
    for item in graph.columns[column] {
      let parts = graph.items[item]
      var sum = 0.0
      var weight = 0.0
      func add(_ own: ColumnGraph.Pin, other: ColumnGraph.Pin, factor: Double) {
        sum += factor * (position(other) - own.offset)
        weight += factor
      }
      if byLeft || byBoth {
        for index in parts.left { add(graph.links[index].end, other: graph.links[index].start, factor: 1) }
      }
      if !byLeft || byBoth {
        for index in parts.right { add(graph.links[index].start, other: graph.links[index].end, factor: 1) }
      }
      for index in parts.within where graph.links[index].start.item != graph.links[index].end.item {
        let link = graph.links[index]
        let isStart = link.start.item == item
        add(isStart ? link.start : link.end, other: isStart ? link.end : link.start, factor: 0.5)
      }
      let place = weight > 0 ? sum / weight : tops[item]
      keys.append((place + parts.height / 2, item))
    }
    // The index breaks ties, so that items with equal positions keep their order.
    let order = keys.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
    graph.columns[column] = order.map(\.element.item)
    stack(column)
  }

  // MARK: - Crossings

  private func crossings() -> Int {
    var count = 0
    for column in graph.columns.indices.dropLast() { count += crossings(rightOf: column) }
    return count
  }

  /// Returns the crossings of the links between a column and the next, which are the inversions of their ends.
  private func crossings(rightOf column: Int) -> Int {
    var ends: [(start: Double, end: Double)] = []
    for item in graph.columns[column] {
      for index in graph.items[item].right {
        let link = graph.links[index]
        ends.append((position(link.start), position(link.end)))
      }
    }
    guard ends.count > 1 else { return 0 }
    ends.sort { $0 < $1 }
    // The ends' ranks are counted in a Fenwick tree.
    let sorted = ends.map(\.end).sorted()
    var ranks: [Double: Int] = [:]
    for end in sorted where ranks[end] == nil { ranks[end] = ranks.count + 1 }
    var tree = [Int](repeating: 0, count: ranks.count + 1)
    var count = 0
    var seen = 0
    var index = 0
    while index < ends.count {
      // Links that begin at the same position do not cross.
      var next = index
      while next < ends.count, ends[next].start == ends[index].start {
        var rank = ranks[ends[next].end] ?? 0
        var atMost = 0
        while rank > 0 {
          atMost += tree[rank]
          rank -= rank & -rank
        }
        count += seen - atMost
        next += 1
      }
      for link in ends[index..<next] {
        var rank = ranks[link.end] ?? 1
        while rank < tree.count {
          tree[rank] += 1
          rank += rank & -rank
        }
      }
      seen += next - index
      index = next
    }
    return count
  }

  /// Swaps neighbors in each column where that removes crossings.
  private mutating func exchangeNeighbours() {
    for column in graph.columns.indices {
      var isChanged = false
      for index in graph.columns[column].indices.dropLast() {
        let (upper, lower) = (graph.columns[column][index], graph.columns[column][index + 1])
        if crossings(upper, lower: lower) > crossings(lower, lower: upper) {
          graph.columns[column].swapAt(index, index + 1)
          isChanged = true
        }
      }
      if isChanged { stack(column) }
    }
  }

  /// Returns the crossings of two neighbors' links when the first neighbor is above the second.
  private func crossings(_ upper: Int, lower: Int) -> Int {
    let (above, below) = (graph.items[upper], graph.items[lower])
    var count = 0
    if !above.left.isEmpty, !below.left.isEmpty {
      let places = below.left.map { position(graph.links[$0].start) }
      for index in above.left {
        let place = position(graph.links[index].start)
        for other in places where other < place { count += 1 }
      }
    }
    if !above.right.isEmpty, !below.right.isEmpty {
      let places = below.right.map { position(graph.links[$0].end) }
      for index in above.right {
        let place = position(graph.links[index].end)
        for other in places where other < place { count += 1 }
      }
    }
    return count
  }
}
