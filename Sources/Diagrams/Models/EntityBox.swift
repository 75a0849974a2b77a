/// The box of an entity: its size, and its texts cut to fit.
struct EntityBox {
  /// A row whose texts are cut to fit.
  struct Row {
    var row: DiagramEntity.Row
    var name: String
    var detail: String
    /// The distance of the row's upper edge from the top of the box.
    var top: Double
  }

  let entity: DiagramEntity
  /// The name, cut to fit.
  let name: String
  /// The smaller text below the name.
  let caption: String?
  let rows: [Row]
  let size: Size
  /// The distance from the top of the box to the first relationship's row.
  private let firstRelationship: Double

  static let rowHeight = 18.0
  static let headerHeight = 38.0
  static let padding = 11.0
  private static let widths = 132.0...330.0
  private static let titleText = TextWidth(fontSize: 14, isBold: true)
  private static let nameText = TextWidth(fontSize: 12)
  private static let detailText = TextWidth(fontSize: 11)

  /// Makes the box of an entity.
  ///
  /// - Parameter showsParent: true to show the parent's name, for a parent without a line in the picture.
  init(_ entity: DiagramEntity, attributeLimit: Int?, showsParent: Bool) {
    self.entity = entity
    let contents = entity.rows(attributeLimit: attributeLimit).map { row in
      (row: row, name: row.name.visible, detail: row.detail.visible)
    }
    let gap = 18.0
    var width = Self.titleText.of(entity.name.visible)
    var words = entity.isAbstract ? ["abstract"] : []
    if showsParent, let parent = entity.parent { words.append("is a \(parent.visible)") }
    let caption = words.isEmpty ? nil : words.joined(separator: ", ")
    width = max(width, caption.map(Self.detailText.of) ?? 0)
    for content in contents {
      let detail = content.detail.isEmpty ? 0 : gap + Self.detailText.of(content.detail)
      width = max(width, Self.nameText.of(content.name) + detail)
    }
    width = (width + 2 * Self.padding).rounded(.up)
    width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    let room = width - 2 * Self.padding
    self.name = Self.titleText.fitting(entity.name.visible, in: room)
    self.caption = caption.map { Self.detailText.fitting($0, in: room) }
    var top = Self.headerHeight + (contents.isEmpty ? 0 : 5)
    var firstRelationship = top
    var rows: [Row] = []
    var hasRelationship = false
    for content in contents {
      if content.row.kind == .relationship, !hasRelationship {
        hasRelationship = true
        // A separator line precedes the relationships.
        if !rows.isEmpty { top += 7 }
        firstRelationship = top
      }
      let detail = Self.detailText.fitting(
        content.detail,
        in: max(room / 2, room - gap - Self.nameText.of(content.name))
      )
      let rest = detail.isEmpty ? room : room - gap - Self.detailText.of(detail)
      let name = Self.nameText.fitting(content.name, in: rest)
      rows.append(Row(row: content.row, name: name, detail: detail, top: top))
      top += Self.rowHeight
    }
    self.rows = rows
    self.firstRelationship = firstRelationship
    size = Size(width: width, height: contents.isEmpty ? Self.headerHeight : top + 5)
  }

  /// Returns the distance from the top of the box to the end of a line at a relationship's row.
  func offset(ofRelationship number: Int) -> Double {
    firstRelationship + Double(number) * Self.rowHeight + Self.rowHeight / 2
  }

  /// The distance from the top of the box to the ends of the lines to the parent and to subentities.
  static let inheritanceOffset = 13.0
  /// The distance from the top of the box to the arrow of a relationship without an inverse.
  static let arrowOffset = 27.0
}
