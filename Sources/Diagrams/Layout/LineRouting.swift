/// The fourth step: computes the horizontal position of each column, and the corners of each line.
///
/// Lines are horizontal next to and between boxes. They are vertical only between columns, where there are no
/// boxes, so that no line can run through a box.
struct LineRouting {
  private let graph: ColumnGraph
  private let sizes: [Size]
  private let tops: [Double]
  /// The vertical shift of a pin, so that two lines do not overlap.
  private var shifts: [SidePin: Double] = [:]
  /// The horizontal position of each link's vertical segment.
  private var uprights: [Double]

  private struct SidePin: Hashable {
    var pin: ColumnGraph.Pin
    var isLeft: Bool
  }

  private static let trackWidth = 9.0

  init(_ graph: ColumnGraph, sizes: [Size], tops: [Double]) {
    self.graph = graph
    self.sizes = sizes
    self.tops = tops
    uprights = [Double](repeating: 0, count: graph.links.count)
    levelSmallSteps()
  }

  /// Moves a line's end within its row if that makes the line horizontal, because a step of a few pixels looks like
  /// a mistake. Only an end that no other line shares is moved.
  private mutating func levelSmallSteps() {
    var uses: [SidePin: Int] = [:]
    for link in graph.links {
      uses[SidePin(pin: link.start, isLeft: true), default: 0] += 1
      uses[SidePin(pin: link.end, isLeft: isWithinColumn(link)), default: 0] += 1
    }
    for link in graph.links where !isWithinColumn(link) {
      let step = height(link.end, isLeft: false) - height(link.start, isLeft: true)
      guard step != 0, abs(step) <= 5 else { continue }
      let sides = [
        (SidePin(pin: link.start, isLeft: true), step), (SidePin(pin: link.end, isLeft: false), -step),
      ]
      for (side, step) in sides where graph.items[side.pin.item].isBox && uses[side] == 1 {
        shifts[side] = step
        break
      }
    }
  }

  /// Returns true for a link between two items of one column.
  private func isWithinColumn(_ link: ColumnGraph.Link) -> Bool {
    graph.items[link.start.item].column == graph.items[link.end.item].column
  }

  mutating func run(_ lines: [LayoutGraph.Line]) -> LayoutResult {
    var origins = sizes.indices.map { Point(x: 0, y: tops[$0]) }
    var left = 0.0
    for column in graph.columns.indices {
      let boxes = graph.columns[column].filter { graph.items[$0].isBox }
      let width = boxes.map { sizes[$0].width }.max() ?? 0
      for box in boxes { origins[box].x = (left + (width - sizes[box].width) / 2).rounded() }
      left += width
      left += route(column, from: left, isLast: column == graph.columns.count - 1)
    }
    let paths = lines.indices.map { path(of: $0, ends: lines[$0], origins: origins) }
    let bottoms = sizes.indices.map { tops[$0] + sizes[$0].height }
    let places = graph.items.indices.dropFirst(sizes.count).map { tops[$0] }
    return LayoutResult(
      origins: origins,
      paths: paths,
      size: Size(width: left, height: max(bottoms.max() ?? 0, places.max() ?? 0))
    )
  }

  private func height(_ pin: ColumnGraph.Pin, isLeft: Bool) -> Double {
    tops[pin.item] + pin.offset + (shifts[SidePin(pin: pin, isLeft: isLeft)] ?? 0)
  }

  /// Places the vertical segments of the links to the right of a column.
  ///
  /// - Returns: the width that they need, in pixels.
  private mutating func route(_ column: Int, from left: Double, isLast: Bool) -> Double {
    let all = ChannelNets(graph, rightOf: column, height: height).nets
    let nets = all.filter { !$0.isLevel }
    var order = TrackOrder(nets)
    let tracks = order.tracks()
    for (net, track) in zip(nets, tracks) {
      for link in net.links { uprights[link] = left + Spacing.stub + Double(track) * Self.trackWidth }
    }
    for pair in order.overlaps(tracks) { shift(nets[pair.left], other: nets[pair.right], all: all) }
    if all.isEmpty, isLast { return 0 }
    return Spacing.stub + Double(tracks.max() ?? 0) * Self.trackWidth + (isLast ? 8 : Spacing.stub)
  }

  /// Moves an end of one of two nets, whose horizontal segments overlap, up or down within its row.
  private mutating func shift(_ one: ChannelNets.Net, other: ChannelNets.Net, all: [ChannelNets.Net]) {
    for link in one.links.map({ graph.links[$0] }) {
      let right = SidePin(pin: link.end, isLeft: false)
      if isWithinColumn(link) { continue }
      for itsLink in other.links.map({ graph.links[$0] }) {
        let left = SidePin(pin: itsLink.start, isLeft: true)
        let distance = height(right.pin, isLeft: false) - height(left.pin, isLeft: true)
        guard abs(distance) < TrackOrder.nearness else { continue }
        for side in [right, left] where graph.items[side.pin.item].isBox && shifts[side] == nil {
          let place = height(side.pin, isLeft: side.isLeft)
          let taken = all.flatMap { $0.lefts + $0.rights }.filter { $0 != place }
          let free = [4.0, -4, 5.5, -5.5].first { step in
            !taken.contains { abs($0 - place - step) < 3 }
              && abs(distance + (side.isLeft ? -step : step)) >= 3
          }
          if let free {
            shifts[side] = free
            break
          }
        }
      }
    }
  }

  /// Returns the corners of a line.
  private func path(of line: Int, ends: LayoutGraph.Line, origins: [Point]) -> [Point] {
    var corners: [Point] = []
    for index in graph.chains[line] {
      let link = graph.links[index]
      let isWithinColumn = isWithinColumn(link)
      let (start, end) = (height(link.start, isLeft: true), height(link.end, isLeft: isWithinColumn))
      if graph.items[link.start.item].isBox {
        corners.append(Point(x: origins[link.start.item].x + sizes[link.start.item].width, y: start))
      }
      if abs(start - end) >= 0.5 || isWithinColumn {
        corners += [Point(x: uprights[index], y: start), Point(x: uprights[index], y: end)]
      }
      if graph.items[link.end.item].isBox {
        let right = isWithinColumn ? sizes[link.end.item].width : 0
        corners.append(Point(x: origins[link.end.item].x + right, y: end))
      }
    }
    let isForward = graph.items[ends.from.box].column <= graph.items[ends.to.box].column
    return isForward ? corners : corners.reversed()
  }
}
