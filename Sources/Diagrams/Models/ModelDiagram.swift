public import ModelFormats

/// A picture of a Core Data model: its entities as boxes, its relationships and the inheritance between
/// entities as lines.
///
/// ```swift
/// let document = try ModelDocument(contentsOf: url)
/// let picture = ModelDiagram(document).svg()
/// ```
///
/// The same model and options give the same bytes. Any document can be drawn, sound or not: a line whose
/// end is not in the document is left out. Names are shown as text, whatever is in them.
public struct ModelDiagram: Sendable {
  /// The entities of the picture, by name, with their parents and relationships.
  let entities: [DiagramEntity]
  /// The lines between them.
  let lines: [DiagramLine]
  /// The number of entities that the document has.
  let totalCount: Int

  /// Makes a picture of a model.
  ///
  /// - Parameters:
  ///   - document: the model.
  ///   - names: the entities to show with their neighbours; all of the model when there are none. Names that
  ///     the model does not have are passed over.
  ///   - distance: how many lines away from a chosen entity its neighbours may be.
  public init(_ document: ModelDocument, entities names: Set<String> = [], neighborDistance distance: Int = 1)
  {
    let whole = ModelLines(document)
    totalCount = document.entities.count
    let chosen = names.isEmpty ? Array(document.entities.indices) : whole.neighbours(of: names, distance: distance)
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

  /// How a picture is drawn.
  public struct Options: Sendable {
    /// The number of attributes that a box shows at the most; `nil` for all. Of an entity with more, the
    /// last row says how many are left out. Relationships are always shown.
    public var attributeLimit: Int? = 12
    /// The words over the picture and in its title; `nil` for "Model".
    public var title: String?
    /// The colours.
    public var colors: DiagramColors = .bySystem
    /// True to put the style sheet into the picture. A page whose security policy forbids that serves
    /// ``DiagramColors/styleSheet`` itself.
    public var includesStyleSheet = true
    /// True to explain the signs below the picture.
    public var includesLegend = true
    /// The beginning of the `id` of each element, for several pictures in one page: ASCII letters, digits
    /// and hyphens; others are left out.
    public var idPrefix = "model"
    /// The names of entities whose boxes are marked.
    public var markedEntities: Set<String> = []
    /// True for a picture that takes the size of the page or the window that it is in; false for one that has its own
    /// size in pixels.
    public var scalesToPage = false
    /// The address that the box of an entity leads to, by the entity's name; `nil` for none.
    public var url: @Sendable (String) -> String? = { _ in nil }

    /// Makes the options that a picture has by itself.
    public init() {}
  }
}
