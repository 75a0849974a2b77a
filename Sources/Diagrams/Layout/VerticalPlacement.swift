/// The third step: assigns a height to each item, so that lines are short and horizontal.
///
/// Each column in turn moves as near to the ends of its links as the order and the spacing of its items allow. The
/// positions are the least squares of an isotonic regression. At the end, items move within their free space so
/// that more lines become exactly horizontal.
struct VerticalPlacement {
  private let graph: ColumnGraph
  /// The upper edge of each item.
  private var tops: [Double]

  init(_ graph: ColumnGraph) {
    self.graph = graph
    tops = [Double](repeating: 0, count: graph.items.count)
  }

  /// Returns the upper edge of each item, in whole pixels from 0.
  mutating func run() -> [Double] {
    for column in graph.columns { stack(column) }
    let rounds = graph.items.count > 4000 ? 4 : 10
    for round in 0..<rounds {
      let isForward = round % 2 == 0
      for column in isForward ? graph.columns : graph.columns.reversed() {
        place(column, bySide: round < 2 ? isForward : nil)
      }
    }
    for round in 0..<4 {
      for column in round % 2 == 0 ? graph.columns : graph.columns.reversed() { straighten(column) }
    }
    let least = tops.min() ?? 0
    return tops.map { ($0 - least + 0.001).rounded() }
  }

  private mutating func stack(_ column: [Int]) {
    var top = 0.0
    for (index, item) in column.enumerated() {
      if index > 0 { top += graph.gap(column[index - 1], lower: item) }
      tops[item] = top
      top += graph.items[item].height
    }
    for item in column { tops[item] -= top / 2 }
  }

  /// Returns how strongly a link should be horizontal.
  private func weight(_ link: ColumnGraph.Link) -> Double {
    switch (graph.items[link.start.item].isBox, graph.items[link.end.item].isBox) {
    case (true, true): 1
    case (false, false): 8
    default: 3
    }
  }

  /// Calls a function with each position of an item at which one of its links is horizontal, and with the link's
  /// weight.
  private func forEachWish(of item: Int, left: Bool, right: Bool, _ body: (Double, Double) -> Void) {
    let parts = graph.items[item]
    if left {
      for index in parts.left {
        let link = graph.links[index]
        body(tops[link.start.item] + link.start.offset - link.end.offset, weight(link))
      }
    }
    if right {
      for index in parts.right {
        let link = graph.links[index]
        body(tops[link.end.item] + link.end.offset - link.start.offset, weight(link))
      }
    }
  }

  /// Places the items of a column.
  ///
  /// - Parameter bySide: true to consider links to the left only, false for links to the right only, `nil` for all
  ///   links.
  private mutating func place(_ column: [Int], bySide: Bool?) {
    /// Items that touch each other and move as one block. The place is the desired position of the first item.
    struct Block {
      var sum: Double
      var weight: Double
      var count: Int
      var place: Double { sum / weight }
    }
    var blocks: [Block] = []
    var distance = 0.0
    var distances: [Double] = []
    for (index, item) in column.enumerated() {
      if index > 0 {
        let previous = column[index - 1]
        distance += graph.items[previous].height + graph.gap(previous, lower: item)
      }
      distances.append(distance)
      var sum = 0.0
      var weight = 0.0
      forEachWish(of: item, left: bySide != false, right: bySide != true) { place, itsWeight in
        sum += place * itsWeight
        weight += itsWeight
      }
      if weight == 0 { (sum, weight) = (tops[item] * 0.01, 0.01) }
      blocks.append(Block(sum: sum - distance * weight, weight: weight, count: 1))
      while blocks.count > 1, blocks[blocks.count - 2].place > blocks[blocks.count - 1].place {
        let last = blocks.removeLast()
        blocks[blocks.count - 1].sum += last.sum
        blocks[blocks.count - 1].weight += last.weight
        blocks[blocks.count - 1].count += last.count
      }
    }
    var index = 0
    for block in blocks {
      for _ in 0..<block.count {
        tops[column[index]] = block.place + distances[index]
        index += 1
      }
    }
  }

  /// Moves each item within the space between its neighbors, if more of its links become horizontal.
  private mutating func straighten(_ column: [Int]) {
    for (index, item) in column.enumerated() {
      var least = -Double.infinity
      var most = Double.infinity
      if index > 0 {
        let previous = column[index - 1]
        least = tops[previous] + graph.items[previous].height + graph.gap(previous, lower: item)
      }
      if index + 1 < column.count {
        most = tops[column[index + 1]] - graph.items[item].height - graph.gap(item, lower: column[index + 1])
      }
      var wishes: [(place: Double, weight: Double)] = []
      forEachWish(of: item, left: true, right: true) { place, weight in wishes.append((place, weight)) }
      guard wishes.count <= 200 else { continue }
      var best = tops[item]
      var gain = level(wishes, at: best)
      for wish in wishes where wish.place >= least - 1e-6 && wish.place <= most + 1e-6 {
        let itsGain = level(wishes, at: wish.place)
        let isNearer = abs(wish.place - tops[item]) < abs(best - tops[item])
        if itsGain > gain || (itsGain == gain && isNearer) { (best, gain) = (wish.place, itsGain) }
      }
      tops[item] = best
    }
  }

  private func level(_ wishes: [(place: Double, weight: Double)], at place: Double) -> Double {
    wishes.reduce(0) { abs($1.place - place) < 0.01 ? $0 + $1.weight : $0 }
  }
}
