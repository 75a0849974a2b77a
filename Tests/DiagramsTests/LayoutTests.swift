import Testing

@testable import Diagrams

@Suite("The layout of boxes and lines")
struct LayoutTests {
  /// A model's layout, with the line ends that it should have.
  struct Laid {
    let graph: LayoutGraph
    let result: LayoutResult

    init(entities: Int, seed: UInt64) {
      let diagram = ModelDiagram(RandomDocument.document(entities: entities, seed: seed))
      graph = ModelLayout.graph(of: diagram, boxes: ModelLayout.boxes(of: diagram, options: .init()))
      result = LayeredLayout(graph: graph).picture().layout
    }

    func rectangle(_ box: Int) -> Rectangle {
      Rectangle(origin: result.origins[box], size: graph.boxes[box])
    }
  }

  static let cases: [(Int, UInt64)] =
    [1, 2, 3, 5, 8, 13, 30, 60, 150].flatMap { count in (1...6).map { (count, $0) } }

  @Test("no two boxes overlap, and there is room between them", arguments: cases)
  func boxesAreApart(count: Int, seed: UInt64) {
    let laid = Laid(entities: count, seed: seed)
    for one in laid.graph.boxes.indices {
      for other in 0..<one {
        let (a, b) = (laid.rectangle(one), laid.rectangle(other))
        let isApart =
          a.right + 8 <= b.origin.x || b.right + 8 <= a.origin.x || a.bottom + 8 <= b.origin.y
          || b.bottom + 8 <= a.origin.y
        #expect(isApart, "\(a) and \(b)")
      }
    }
  }

  @Test("each line begins and ends at a side of its boxes, at the row that it is for", arguments: cases)
  func linesEndAtTheirBoxes(count: Int, seed: UInt64) throws {
    let laid = Laid(entities: count, seed: seed)
    for (line, path) in zip(laid.graph.lines, laid.result.paths) {
      let (first, last) = (try #require(path.first), try #require(path.last))
      for (end, point) in [(line.from, first), (line.to, last)] {
        let box = laid.rectangle(end.box)
        #expect(point.x == box.origin.x || point.x == box.right)
        // Two lines at one height are moved apart, but stay within the row.
        #expect(abs(point.y - box.origin.y - end.offset) <= 6)
      }
    }
  }

  @Test("no line runs through a box, but touches its own at its ends", arguments: cases)
  func linesGoAroundBoxes(count: Int, seed: UInt64) {
    let laid = Laid(entities: count, seed: seed)
    let boxes = laid.graph.boxes.indices.map(laid.rectangle)
    for path in laid.result.paths {
      for (start, end) in zip(path, path.dropFirst()) {
        #expect(start.x == end.x || start.y == end.y, "a part is neither level nor upright")
        let (left, right) = (min(start.x, end.x), max(start.x, end.x))
        let (top, bottom) = (min(start.y, end.y), max(start.y, end.y))
        for box in boxes {
          let isOutside =
            right <= box.origin.x || left >= box.right || bottom <= box.origin.y || top >= box.bottom
          #expect(isOutside, "\(start) to \(end) through \(box)")
        }
      }
    }
  }

  @Test("everything is within the size of the picture", arguments: cases)
  func everythingIsInside(count: Int, seed: UInt64) {
    let laid = Laid(entities: count, seed: seed)
    let points = laid.result.paths.flatMap { $0 }
    let corners = laid.graph.boxes.indices.map(laid.rectangle).flatMap {
      [$0.origin, Point(x: $0.right, y: $0.bottom)]
    }
    for point in points + corners {
      #expect(point.x >= 0 && point.x <= laid.result.size.width)
      #expect(point.y >= 0 && point.y <= laid.result.size.height)
    }
  }

  @Test("level parts of different lines seldom lie on each other", arguments: [30, 60, 150])
  func linesAreApart(count: Int) {
    let laid = Laid(entities: count, seed: 5)
    var overlaps = 0
    var parts: [(line: Int, y: Double, left: Double, right: Double)] = []
    for (index, path) in laid.result.paths.enumerated() where laid.graph.lines[index].shared == nil {
      for (start, end) in zip(path, path.dropFirst()) where start.y == end.y {
        parts.append((index, start.y, min(start.x, end.x), max(start.x, end.x)))
      }
    }
    for (index, one) in parts.enumerated() {
      for other in parts[..<index] where other.line != one.line && abs(other.y - one.y) < 2 {
        if min(one.right, other.right) - max(one.left, other.left) > 2 { overlaps += 1 }
      }
    }
    #expect(overlaps * 50 <= parts.count, "\(overlaps) of \(parts.count)")
  }

  @Test("a parent is to the left of its subentities, even if they are many")
  func parentsAreLeft() {
    for seed: UInt64 in 1...8 {
      let laid = Laid(entities: 40, seed: seed)
      for line in laid.graph.lines where line.isDirected {
        #expect(laid.rectangle(line.from.box).right <= laid.rectangle(line.to.box).origin.x)
      }
    }
  }
}
