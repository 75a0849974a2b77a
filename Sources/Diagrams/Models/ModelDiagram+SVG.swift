import Texts

extension ModelDiagram {
  /// Returns the picture as SVG, which can be saved as a file or embedded in a page.
  ///
  /// The group of an entity has the class `dg-entity`, the entity's name in `data-entity`, and an `id`. The group of a
  /// line has the class `dg-line`. Its attributes `data-from` and `data-to` contain the names of the entities, and
  /// `data-name` and `data-inverse` those of the relationships. The SVG contains no scripts and no `style` attributes.
  public func svg(_ options: Options = Options()) -> String {
    let layout = ModelLayout(diagram: self, options: options)
    return ModelPicture(diagram: self, layout: layout, options: options).text()
  }
}

/// Draws a model that has been laid out.
struct ModelPicture {
  let diagram: ModelDiagram
  let layout: ModelLayout
  let options: ModelDiagram.Options

  private static let margin = 24.0

  func text() -> String {
    let title = options.title ?? "Model"
    var picture = SVGPicture(title: title, description: description, idPrefix: options.idPrefix)
    var offset = Point(x: Self.margin, y: Self.margin)
    var size = layout.picture.layout.size
    if let heading = options.title {
      let text = TextWidth(fontSize: 16, isBold: true)
      let words = text.fitting(heading.visible, in: max(size.width, 600))
      picture.addText(words, kind: "dg-heading", at: offset + Point(x: 0, y: 14))
      size.width = max(size.width, text.of(words))
      offset.y += 36
    }
    if let top = layout.picture.gridTop {
      let words = "Entities without relationships"
      picture.addText(words, kind: "dg-note", at: offset + Point(x: 0, y: top - 14))
      size.width = max(size.width, TextWidth(fontSize: 11).of(words))
    }
    for (line, path) in zip(diagram.lines, layout.picture.layout.paths) {
      addLine(line, path: path.map { $0 + offset }, to: &picture)
    }
    let hasLinks = addBoxes(offset, to: &picture)
    var bottom = offset.y + size.height
    if options.includesLegend, !diagram.entities.isEmpty {
      let legend = ModelLegend(diagram, width: max(size.width, 420))
      legend.draw(at: Point(x: offset.x, y: bottom + 26), in: &picture)
      bottom += 26 + legend.size.height
      size.width = max(size.width, legend.size.width)
    }
    return picture.text(
      size: Size(width: size.width + 2 * Self.margin, height: bottom + Self.margin),
      styleSheet: options.includesStyleSheet ? options.colors.styleSheet : nil,
      hasLinks: hasLinks,
      scalesToPage: options.scalesToPage
    )
  }

  private var description: String {
    func count(_ number: Int, one: String, many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    let (shown, total) = (diagram.entities.count, diagram.totalCount)
    let relationships = diagram.entities.reduce(0) { $0 + $1.relationships.count }
    let parents = diagram.lines.filter { $0.kind == .inheritance }.count
    var words = count(shown, one: "entity", many: "entities") + (shown < total ? " of \(total)" : "")
    words += ", " + count(relationships, one: "relationship", many: "relationships")
    if parents > 0 { words += ", " + count(parents, one: "line of inheritance", many: "lines of inheritance") }
    let names = diagram.entities.prefix(200).map(\.name).joined(separator: ", ")
    return words + (names.isEmpty ? "." : ": \(names)\(shown > 200 ? ", …" : "").")
  }

  // MARK: - Boxes

  /// Adds the boxes.
  ///
  /// - Returns: true when a box is a link.
  private func addBoxes(_ offset: Point, to picture: inout SVGPicture) -> Bool {
    var hasLinks = false
    var names = Set<String>()
    for (box, origin) in zip(layout.boxes, layout.picture.layout.origins) {
      let url = options.url(box.entity.name)
      if let url {
        hasLinks = true
        picture.add("<a href=\"\(MarkupText(url))\" aria-label=\"\(MarkupText(box.entity.name))\">")
      }
      // An unsound model may contain a name twice, but an `id` must be unique in the document.
      let isFirst = names.insert(box.entity.name).inserted
      add(
        box,
        at: origin + offset,
        id: isFirst ? picture.id("entity", of: box.entity.name) : nil,
        to: &picture
      )
      if url != nil { picture.add("</a>") }
    }
    return hasLinks
  }

  private func add(_ box: EntityBox, at origin: Point, id: String?, to picture: inout SVGPicture) {
    let name = MarkupText(box.entity.name)
    let abstract = box.entity.isAbstract ? " dg-abstract" : ""
    let chosen = options.markedEntities.contains(box.entity.name) ? " dg-chosen" : ""
    let identifier = id.map { " id=\"\($0)\"" } ?? ""
    picture.add("<g class=\"dg-entity\(abstract)\(chosen)\"\(identifier) data-entity=\"\(name)\">")
    picture.add("<title>\(MarkupText(explanation(box.entity)))</title>")
    let (x, y) = (origin.x.svg, origin.y.svg)
    let (width, height) = (box.size.width.svg, box.size.height.svg)
    picture.add("<rect class=\"dg-box\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"5\"/>")
    picture.add("<path class=\"dg-header\" d=\"\(headerPath(box, origin: origin))\"/>")
    let left = origin.x + EntityBox.padding
    let right = origin.x + box.size.width - EntityBox.padding
    picture.addText(box.name, kind: "dg-name", at: Point(x: left, y: origin.y + (box.caption == nil ? 24 : 18)))
    if let caption = box.caption { picture.addText(caption, kind: "dg-caption", at: Point(x: left, y: origin.y + 31)) }
    for (index, row) in box.rows.enumerated() {
      let baseline = origin.y + row.top + 13
      if row.row.kind == .relationship, index > 0, box.rows[index - 1].row.kind != .relationship {
        let rule = (origin.y + row.top - 3.5).svg
        let end = (origin.x + box.size.width).svg
        picture.add("<line class=\"dg-rule\" x1=\"\(x)\" y1=\"\(rule)\" x2=\"\(end)\" y2=\"\(rule)\"/>")
      }
      add(row, left: left, right: right, baseline: baseline, to: &picture)
    }
    picture.add("</g>")
  }

  /// Returns the path of the colored header of a box, inside its border and with the same rounded corners.
  private func headerPath(_ box: EntityBox, origin: Point) -> String {
    let width = (box.size.width - 10).svg
    let start =
      "M\((origin.x + 0.7).svg) \((origin.y + 5).svg)a4.3 4.3 0 0 1 4.3 -4.3h\(width)a4.3 4.3 0 0 1 4.3 4.3"
    if box.rows.isEmpty {
      let height = (EntityBox.headerHeight - 10).svg
      return start + "v\(height)a4.3 4.3 0 0 1 -4.3 4.3h-\(width)a4.3 4.3 0 0 1 -4.3 -4.3z"
    }
    return start + "v\((EntityBox.headerHeight - 5).svg)h-\((box.size.width - 1.4).svg)z"
  }

  private func add(
    _ row: EntityBox.Row,
    left: Double,
    right: Double,
    baseline: Double,
    to picture: inout SVGPicture
  ) {
    var kinds = "dg-row dg-\(row.row.kind.rawValue)-row"
    if row.row.kind == .more { kinds += " dg-more" }
    if row.row.isTransient || row.row.kind == .fetched { kinds += " dg-transient" }
    if row.row.isUnique { kinds += " dg-unique" }
    picture.add("<g class=\"dg-property\" data-property=\"\(MarkupText(row.row.name))\">")
    picture.add("<title>\(MarkupText(row.row.explanation))</title>")
    picture.addText(row.name, kind: kinds, at: Point(x: left, y: baseline))
    if !row.detail.isEmpty {
      picture.addText(row.detail, kind: "dg-detail", at: Point(x: right, y: baseline), isAtEnd: true)
    }
    picture.add("</g>")
  }

  private func explanation(_ entity: DiagramEntity) -> String {
    var words = entity.name
    if entity.isAbstract { words += ", abstract" }
    if let parent = entity.parent { words += ", is a \(parent)" }
    return words + ": \(entity.attributes.count) attributes, \(entity.relationships.count) relationships"
  }

  // MARK: - Lines

  private func addLine(_ line: DiagramLine, path: [Point], to picture: inout SVGPicture) {
    let (from, to) = (diagram.entities[line.from.entity], diagram.entities[line.to.entity])
    // The layout's path of an inheritance line begins at the parent.
    let path = line.kind == .inheritance ? path.reversed() : path
    guard let first = path.first, let last = path.last, path.count > 1 else { return }
    var data = "data-from=\"\(MarkupText(from.name))\" data-to=\"\(MarkupText(to.name))\""
    var title = "\(from.name) is a \(to.name)"
    if let number = line.from.relationship {
      data += " data-name=\"\(MarkupText(from.relationships[number].name))\""
      title = "\(from.name).\(from.relationships[number].explanation)"
    }
    if let number = line.to.relationship {
      data += " data-inverse=\"\(MarkupText(to.relationships[number].name))\""
      if line.from.relationship != number || line.from.entity != line.to.entity {
        title += "; \(to.name).\(to.relationships[number].explanation)"
      }
    }
    picture.add("<g class=\"dg-line dg-\(line.kind.rawValue)\" \(data)>")
    picture.add("<title>\(MarkupText(title))</title>")
    picture.add("<path d=\"\(LinePath.rounded(path))\"/>")
    let ends = [(line.from.arrowheads, first, path[1]), (line.to.arrowheads, last, path[path.count - 2])]
    for (heads, end, before) in ends where heads > 0 {
      picture.add("<path class=\"dg-head\" d=\"\(LinePath.arrowheads(heads, at: end, from: before))\"/>")
    }
    if line.kind == .inheritance {
      let triangle = LinePath.triangle(at: last, from: path[path.count - 2])
      picture.add("<path class=\"dg-head\" d=\"\(triangle)\"/>")
    }
    picture.add("</g>")
  }
}
