/// The positions of a model's boxes and lines in a picture.
struct ModelLayout {
  let boxes: [EntityBox]
  let picture: LayeredLayout.Picture

  init(diagram: ModelDiagram, options: ModelDiagram.Options) {
    boxes = Self.boxes(of: diagram, options: options)
    picture = LayeredLayout(graph: Self.graph(of: diagram, boxes: boxes)).picture()
  }

  static func boxes(of diagram: ModelDiagram, options: ModelDiagram.Options) -> [EntityBox] {
    var hasParentLine = [Bool](repeating: false, count: diagram.entities.count)
    for line in diagram.lines where line.kind == .inheritance { hasParentLine[line.from.entity] = true }
    return zip(diagram.entities, hasParentLine).map { entity, hasLine in
      EntityBox(entity, attributeLimit: options.attributeLimit, showsParent: !hasLine)
    }
  }

  /// Returns the boxes and lines without their contents. The layout needs only sizes and ends.
  static func graph(of diagram: ModelDiagram, boxes: [EntityBox]) -> LayoutGraph {
    let lines = diagram.lines.map { line in
      line.kind == .inheritance ? inheritance(line) : relationship(line, boxes: boxes)
    }
    return LayoutGraph(boxes: boxes.map(\.size), lines: lines)
  }

  /// Returns the line from a parent on the left to its subentity. All such lines of a parent share its end.
  private static func inheritance(_ line: DiagramLine) -> LayoutGraph.Line {
    LayoutGraph.Line(
      from: .init(box: line.to.entity, offset: EntityBox.inheritanceOffset),
      to: .init(box: line.from.entity, offset: EntityBox.inheritanceOffset),
      isDirected: true,
      shared: .from
    )
  }

  private static func relationship(_ line: DiagramLine, boxes: [EntityBox]) -> LayoutGraph.Line {
    func offset(_ end: DiagramLine.End) -> Double {
      end.relationship.map { boxes[end.entity].offset(ofRelationship: $0) } ?? EntityBox.arrowOffset
    }
    var (from, to) = (offset(line.from), offset(line.to))
    // A relationship that is its own inverse has one row for both ends of its line.
    if line.from.entity == line.to.entity, from == to { (from, to) = (from - 5, to + 5) }
    return LayoutGraph.Line(
      from: .init(box: line.from.entity, offset: from),
      to: .init(box: line.to.entity, offset: to),
      shared: line.to.relationship == nil ? .to : nil
    )
  }
}
