/// A graph whose boxes are assigned to columns.
///
/// Each line is a chain of links. A link leads from one column to the next. In the columns between its boxes, the
/// line passes through places that are kept free.
struct ColumnGraph {
  /// An item of a column: a box, or the place of a line that passes through.
  struct Item {
    var column: Int
    /// The height in pixels; zero for the place of a line.
    var height: Double
    var isBox: Bool
    /// The links to the column on the left, and to the column on the right.
    var left: [Int] = []
    var right: [Int] = []
    /// The links between two items of this column.
    var within: [Int] = []
  }

  /// A position at the side of an item.
  struct Pin: Hashable {
    var item: Int
    /// The distance from the top of the item.
    var offset: Double
  }

  /// A segment of a line between two adjacent columns, or between two items of one column. The latter runs to the
  /// right of the column.
  struct Link: Hashable {
    var start: Pin
    var end: Pin
  }

  /// The boxes in the order of the graph, followed by the places of lines.
  private(set) var items: [Item] = []
  private(set) var links: [Link] = []
  /// The items of each column, from top to bottom.
  var columns: [[Int]] = []
  /// The links of each line, from left to right.
  private(set) var chains: [[Int]] = []

  private var linkNumbers: [Link: Int] = [:]
  private var sharedPlaces: [SharedPlace: Int] = [:]

  /// The place at which lines with a shared end pass through a column.
  private struct SharedPlace: Hashable {
    var end: LayoutGraph.End
    var column: Int
    var isRightOfEnd: Bool
  }

  init(_ graph: LayoutGraph, columns columnOfBox: [Int]) {
    items = zip(graph.boxes, columnOfBox).map { Item(column: $1, height: $0.height, isBox: true) }
    columns = [[Int]](repeating: [], count: (columnOfBox.max() ?? -1) + 1)
    for (box, column) in columnOfBox.enumerated() { columns[column].append(box) }
    for line in graph.lines { chains.append(chain(of: line)) }
  }

  /// Splits a line into links.
  private mutating func chain(of line: LayoutGraph.Line) -> [Int] {
    let isForward = items[line.from.box].column <= items[line.to.box].column
    let (left, right) = isForward ? (line.from, line.to) : (line.to, line.from)
    let (first, last) = (items[left.box].column, items[right.box].column)
    var pin = Pin(item: left.box, offset: left.offset)
    let end = Pin(item: right.box, offset: right.offset)
    if first == last { return [link(pin, end: end)] }
    let shared = line.shared.map { ($0 == .from) == isForward ? left : right }
    var chain: [Int] = []
    for column in stride(from: first + 1, to: last, by: 1) {
      let place = Pin(item: place(in: column, of: shared, isRightOfEnd: shared == left), offset: 0)
      chain.append(link(pin, end: place))
      pin = place
    }
    return chain + [link(pin, end: end)]
  }

  /// Returns the number of the link between two pins. Several lines may share a link.
  private mutating func link(_ start: Pin, end: Pin) -> Int {
    let link = Link(start: start, end: end)
    if let number = linkNumbers[link] { return number }
    let number = links.count
    linkNumbers[link] = number
    links.append(link)
    if items[start.item].column == items[end.item].column {
      items[start.item].within.append(number)
      if start.item != end.item { items[end.item].within.append(number) }
    } else {
      items[start.item].right.append(number)
      items[end.item].left.append(number)
    }
    return number
  }

  private mutating func place(in column: Int, of shared: LayoutGraph.End?, isRightOfEnd: Bool) -> Int {
    let key = shared.map { SharedPlace(end: $0, column: column, isRightOfEnd: isRightOfEnd) }
    if let key, let place = sharedPlaces[key] { return place }
    let place = items.count
    items.append(Item(column: column, height: 0, isBox: false))
    columns[column].append(place)
    if let key { sharedPlaces[key] = place }
    return place
  }

  /// Returns the least distance between two adjacent items of a column, in pixels.
  func gap(_ upper: Int, lower: Int) -> Double {
    switch (items[upper].isBox, items[lower].isBox) {
    case (true, true): Spacing.boxes
    case (false, false): Spacing.lines
    default: Spacing.lineAndBox
    }
  }
}
