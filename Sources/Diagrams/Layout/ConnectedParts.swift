/// The connected components of a graph, the largest first, and the boxes without lines.
struct ConnectedParts {
  /// A component as a graph of its own.
  struct Part {
    var graph: LayoutGraph
    /// The numbers of the component's boxes and lines in the whole graph.
    var boxes: [Int]
    var lines: [Int]
  }

  private(set) var connected: [Part] = []
  private(set) var single: [Int] = []

  init(_ graph: LayoutGraph) {
    var roots = Array(graph.boxes.indices)
    func root(_ box: Int) -> Int {
      var box = box
      while roots[box] != box {
        roots[box] = roots[roots[box]]
        box = roots[box]
      }
      return box
    }
    var hasLine = [Bool](repeating: false, count: graph.boxes.count)
    for line in graph.lines {
      hasLine[line.from.box] = true
      hasLine[line.to.box] = true
      let (one, other) = (root(line.from.box), root(line.to.box))
      roots[max(one, other)] = min(one, other)
    }
    var boxes: [Int: [Int]] = [:]
    var lines: [Int: [Int]] = [:]
    for box in graph.boxes.indices {
      if hasLine[box] { boxes[root(box), default: []].append(box) } else { single.append(box) }
    }
    for (index, line) in graph.lines.enumerated() { lines[root(line.from.box), default: []].append(index) }
    var numbers = [Int](repeating: 0, count: graph.boxes.count)
    for root in boxes.keys.sorted() {
      let (itsBoxes, itsLines) = (boxes[root] ?? [], lines[root] ?? [])
      for (number, box) in itsBoxes.enumerated() { numbers[box] = number }
      var part = LayoutGraph(boxes: itsBoxes.map { graph.boxes[$0] }, lines: itsLines.map { graph.lines[$0] })
      for index in part.lines.indices {
        part.lines[index].from.box = numbers[part.lines[index].from.box]
        part.lines[index].to.box = numbers[part.lines[index].to.box]
      }
      connected.append(Part(graph: part, boxes: itsBoxes, lines: itsLines))
    }
    connected.sort { ($1.boxes.count, $0.boxes[0]) < ($0.boxes.count, $1.boxes[0]) }
  }
}
