import Texts

extension ModelDiagram {
  /// Returns the picture in Graphviz's DOT language, for its layout programs: `dot -Tsvg`.
  public func dot(_ options: Options = Options()) -> String {
    var text = """
      digraph model {
        graph [rankdir=LR, fontname="Helvetica", label=\(quoted(options.title ?? "Model")), labelloc=t];
        node [shape=plain, fontname="Helvetica", fontsize=11];
        edge [fontname="Helvetica", fontsize=9];

      """
    for (number, entity) in entities.enumerated() {
      text += "  entity\(number) [label=<\(table(entity, options: options))>"
      if let url = options.url(entity.name) { text += ", URL=\(quoted(url))" }
      text += "];\n"
    }
    for line in lines { text += "  \(edge(line));\n" }
    return text + "}\n"
  }

  /// Returns a box as a table. Lines end at the ports of its rows.
  private func table(_ entity: DiagramEntity, options: Options) -> String {
    let name = "<b>\(cell(entity.name))</b>"
    let title = entity.isAbstract ? "<i>\(name)</i><br/>abstract" : name
    var text = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">"
    text += "<tr><td port=\"name\" colspan=\"2\">\(title)</td></tr>"
    var relationship = 0
    for row in entity.rows(attributeLimit: options.attributeLimit) {
      var port = ""
      if row.kind == .relationship {
        port = " port=\"r\(relationship)\""
        relationship += 1
      }
      var name = cell(row.name)
      if row.isUnique { name = "<u>\(name)</u>" }
      if row.isTransient { name = "<i>\(name)</i>" }
      text += "<tr><td align=\"left\"\(port)>\(name)</td><td align=\"left\">\(cell(row.detail))</td></tr>"
    }
    return text + "</table>"
  }

  private func edge(_ line: DiagramLine) -> String {
    switch line.kind {
    case .inheritance:
      return "entity\(line.to.entity):name -> entity\(line.from.entity):name [dir=back, arrowtail=empty]"
    case .relationship:
      let ends = "\(place(line.from)) -> \(place(line.to))"
      return "\(ends) [dir=both, arrowtail=\(arrow(line.from)), arrowhead=\(arrow(line.to))]"
    }
  }

  private func place(_ end: DiagramLine.End) -> String {
    "entity\(end.entity):" + (end.relationship.map { "r\($0)" } ?? "name")
  }

  private func arrow(_ end: DiagramLine.End) -> String {
    switch end.arrowheads {
    case 0: "none"
    case 1: "normal"
    default: "normalnormal"
    }
  }

  /// Returns the text of a cell. An empty text becomes a space, because Graphviz reports an empty element as an error.
  private func cell(_ text: String) -> String { text.isEmpty ? " " : MarkupText(text.cut(to: 200)).description }

  private func quoted(_ text: String) -> String {
    let escaped = text.visible.replacingScalars { $0 == "\"" ? "\\\"" : $0 == "\\" ? "\\\\" : nil }
    return "\"\(escaped)\""
  }
}
