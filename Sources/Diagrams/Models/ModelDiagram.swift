public import ModelFormats

/// A picture of a Core Data model. Entities are boxes; relationships and inheritance are lines.
///
/// ```swift
/// let document = try ModelDocument(contentsOf: url)
/// let picture = ModelDiagram(document).svg()
/// ```
///
/// Equal models and options give equal bytes. Any document can be drawn, sound or not: a line whose end is not in
/// the document is left out. Names are escaped and shown as text.
public struct ModelDiagram: Sendable {
  /// The entities in the picture, with their properties.
  let entities: [DiagramEntity]
  /// The lines between the entities.
  let lines: [DiagramLine]
  /// The number of entities in the document.
  let totalCount: Int

  /// Makes a picture of a model.
  ///
  /// - Parameters:
  ///   - document: the model.
  ///   - names: the entities to show with their neighbors. An empty set selects the whole model. Names that are not in
  ///     the model are ignored.
  ///   - distance: the greatest number of lines between a chosen entity and a neighbor.
  public init(_ document: ModelDocument, entities names: Set<String> = [], neighborDistance distance: Int = 1) {
    let whole = ModelLines(document)
    totalCount = document.entities.count
    let chosen =
      names.isEmpty ? Array(document.entities.indices) : whole.neighbours(of: names, distance: distance)
    var numbers: [Int: Int] = [:]
    for (number, index) in chosen.enumerated() { numbers[index] = number }
    lines = whole.lines.compactMap { line in
      guard let from = numbers[line.from.entity], let to = numbers[line.to.entity] else { return nil }
      var line = line
      (line.from.entity, line.to.entity) = (from, to)
      return line
    }
    entities = chosen.map { DiagramEntity(document.entities[$0]) }
  }

  /// The options for drawing a picture.
  public struct Options: Sendable {
    /// The greatest number of attributes in a box; `nil` for all.
    ///
    /// When an entity has more attributes, the last row shows how many are left out. All relationships are always
    /// shown.
    public var attributeLimit: Int? = 12
    /// The heading and title of the picture. If it is `nil`, there is no heading, and the title is "Model".
    public var title: String?
    /// The colors.
    public var colors: DiagramColors = .bySystem
    /// True to include the style sheet in the picture. A page whose security policy forbids inline styles has to
    /// serve ``DiagramColors/styleSheet`` as a file.
    public var includesStyleSheet = true
    /// True to add a legend below the picture.
    public var includesLegend = true
    /// The prefix of each element's `id`, so that a page can contain several pictures. ASCII letters, digits and
    /// hyphens are used, other characters are ignored.
    public var idPrefix = "model"
    /// The names of entities whose boxes are highlighted.
    public var markedEntities: Set<String> = []
    /// True for a picture that scales to its page or window; false for a picture with a fixed size in pixels.
    public var scalesToPage = false
    /// Returns the URL for the box of the entity with a name; `nil` for a box without a link.
    public var url: @Sendable (String) -> String? = { _ in nil }

    /// Makes the default options.
    public init() {}
  }
}
