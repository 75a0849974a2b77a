/// Lays out boxes and lines in columns from left to right, in the steps of Sugiyama's method. Each connected
/// component is laid out separately, and all components are packed.
///
/// The result depends only on the graph. The number of search rounds depends on the size of the graph, so that the
/// time is about proportional to that size.
struct LayeredLayout {
  /// The result of a layout.
  struct Picture {
    var layout: LayoutResult
    /// The top of the boxes without lines; `nil` when the picture does not contain both these boxes and others.
    var gridTop: Double?
  }

  let graph: LayoutGraph
  /// The desired ratio of the picture's width to its height.
  var aspect = 1.6
  /// The height of the heading's space above the boxes without lines, in pixels.
  var gridHeading: Double = 30

  func picture() -> Picture {
    let parts = ConnectedParts(graph)
    let connected = parts.connected.map { part in (part: part, layout: Self.layout(part.graph, aspect: aspect)) }
    var result = LayoutResult(
      origins: [Point](repeating: Point(x: 0, y: 0), count: graph.boxes.count),
      paths: [[Point]](repeating: [], count: graph.lines.count),
      size: Size(width: 0, height: 0)
    )
    let grid = BoxGrid(parts.single.map { graph.boxes[$0] })
    let width = targetWidth(connected.map(\.layout.size) + grid.boxes)
    let shelves = ShelfPacking(connected.map(\.layout.size), width: width)
    for (index, part) in connected.enumerated() {
      let offset = shelves.origins[index]
      for (box, origin) in zip(part.part.boxes, part.layout.origins) { result.origins[box] = origin + offset }
      for (line, path) in zip(part.part.lines, part.layout.paths) {
        result.paths[line] = path.map { $0 + offset }
      }
    }
    result.size = shelves.size
    if parts.single.isEmpty { return Picture(layout: result, gridTop: nil) }
    let top = connected.isEmpty ? 0 : shelves.size.height + Spacing.components + gridHeading
    let cells = grid.place(width: max(width, shelves.size.width))
    for (box, origin) in zip(parts.single, cells.origins) { result.origins[box] = origin + Point(x: 0, y: top) }
    result.size.width = max(result.size.width, cells.size.width)
    result.size.height = top + cells.size.height
    return Picture(layout: result, gridTop: connected.isEmpty ? nil : top)
  }

  private static func layout(_ graph: LayoutGraph, aspect: Double) -> LayoutResult {
    // Making lines horizontal moves boxes apart, which makes columns about half as high again.
    var layering = Layering(graph, aspect: aspect * 1.7)
    var reduction = CrossingReduction(ColumnGraph(graph, columns: layering.run()))
    let ordered = reduction.run()
    var placement = VerticalPlacement(ordered)
    var routing = LineRouting(ordered, sizes: graph.boxes, tops: placement.run())
    return routing.run(graph.lines)
  }

  private func targetWidth(_ sizes: [Size]) -> Double {
    let area = sizes.reduce(0) { $0 + ($1.width + Spacing.components) * ($1.height + Spacing.components) }
    return max(sizes.map(\.width).max() ?? 0, (area * aspect).squareRoot())
  }
}
