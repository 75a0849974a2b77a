/// The legend of a picture. It explains only the signs that occur in the picture.
struct ModelLegend {
  private enum Sign {
    case arrowheads(Int)
    case triangle
    case words(String, kind: String)
  }

  private struct Entry {
    var sign: Sign
    var meaning: String
    var place: Point
  }

  private var entries: [Entry] = []
  private(set) var size = Size(width: 0, height: 0)

  private static let text = TextWidth(fontSize: 11)

  /// The width of a sign and of the space between the sign and its meaning, in pixels.
  private static func width(of sign: Sign) -> Double {
    if case .words(let words, _) = sign { TextWidth(fontSize: 12).of(words) + 7 } else { 36 }
  }

  init(_ diagram: ModelDiagram, width: Double) {
    let heads = Set(diagram.lines.flatMap { [$0.from.arrowheads, $0.to.arrowheads] })
    let rows = diagram.entities.flatMap { $0.attributes + $0.relationships }
    var signs: [(Sign, String)] = []
    if heads.contains(1) { signs.append((.arrowheads(1), "to one")) }
    if heads.contains(2) { signs.append((.arrowheads(2), "to many")) }
    if diagram.lines.contains(where: { $0.kind == .inheritance }) { signs.append((.triangle, "is a")) }
    if rows.contains(where: { $0.detail.hasSuffix("?") || $0.detail.contains("? ·") }) {
      signs.append((.words("T?", kind: "dg-row"), "optional"))
    }
    if rows.contains(where: { $0.kind == .relationship && $0.detail.hasPrefix("{") }) {
      signs.append((.words("{T}", kind: "dg-row"), "set"))
    }
    if rows.contains(where: { $0.kind == .relationship && $0.detail.hasPrefix("[") }) {
      signs.append((.words("[T]", kind: "dg-row"), "ordered"))
    }
    if rows.contains(where: \.isUnique) { signs.append((.words("name", kind: "dg-row dg-unique"), "unique")) }
    if rows.contains(where: \.isTransient) { signs.append((.words("name", kind: "dg-row dg-transient"), "transient")) }
    if rows.contains(where: { $0.detail.contains(" · ") }) {
      signs.append((.words("·", kind: "dg-row"), "deletion, where it does not nullify"))
    }
    var place = Point(x: 0, y: 0)
    for (sign, meaning) in signs {
      let room = Self.width(of: sign) + Self.text.of(meaning)
      if place.x > 0, place.x + room > width { place = Point(x: 0, y: place.y + 18) }
      entries.append(Entry(sign: sign, meaning: meaning, place: place))
      size = Size(width: max(size.width, place.x + room), height: place.y + 16)
      place.x += room + 22
    }
  }

  /// Draws the legend with its upper left corner at a point.
  func draw(at origin: Point, in picture: inout SVGPicture) {
    guard !entries.isEmpty else { return }
    picture.add("<g class=\"dg-legend\">")
    for entry in entries {
      let place = origin + entry.place
      let end = place + Point(x: 28, y: 8)
      let line = "<path d=\"M\(place.x.svg) \(end.y.svg)H\(end.x.svg)\"/>"
      switch entry.sign {
      case .arrowheads(let count):
        picture.add("<g class=\"dg-line dg-relationship\">\(line)")
        picture.add("<path class=\"dg-head\" d=\"\(LinePath.arrowheads(count, at: end, from: place))\"/></g>")
      case .triangle:
        picture.add("<g class=\"dg-line dg-inheritance\">\(line)")
        picture.add("<path class=\"dg-head\" d=\"\(LinePath.triangle(at: end, from: place))\"/></g>")
      case .words(let words, let kind): picture.addText(words, kind: kind, at: place + Point(x: 0, y: 12))
      }
      picture.addText(entry.meaning, kind: "dg-note", at: place + Point(x: Self.width(of: entry.sign), y: 12))
    }
    picture.add("</g>")
  }
}
