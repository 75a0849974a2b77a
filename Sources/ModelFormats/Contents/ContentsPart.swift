import Texts

/// A part of a model document that is an element of the XML.
protocol ContentsPart: Sendable {
  static var elementName: String { get }
  /// The XML attributes, in the order in which they are written.
  static var fields: [ContentsField<Self>] { get }
  /// The elements inside, in the order in which they are written.
  static var children: [ContentsChild<Self>] { get }

  init()

  var line: SourceLine { get set }
  var unknown: UnknownContents { get set }
}

extension ContentsPart {
  static var children: [ContentsChild<Self>] { [] }

  init(_ element: ContentsElement, context: ContentsContext) throws(ModelFileError) {
    self.init()
    line = element.line
    let inside = context.entering(element)
    for attribute in element.attributes {
      guard let field = Self.fields.first(where: { $0.name == attribute.name }) else {
        unknown.attributes[attribute.name] = attribute.value
        continue
      }
      if !field.read(&self, attribute.value) {
        let nearest = Suggestion.nearest(to: attribute.value, among: field.words)
        let remedy = nearest.map { "; correct it to \"\($0)\"" } ?? ""
        throw inside.error(
          attribute: attribute.name,
          problem: "\"\(attribute.value)\" is not as expected: \(field.expectation)\(remedy)"
        )
      }
    }
    for field in Self.fields where field.isRequired && element[field.name] == nil {
      throw inside.error(attribute: field.name, problem: "the attribute is missing; it should be \(field.expectation)")
    }
    for child in element.children {
      if let kind = Self.children.first(where: { $0.name == child.name }) {
        try kind.read(&self, child, inside)
      } else {
        unknown.elements.append(child)
      }
    }
  }

  var contentsElement: ContentsElement {
    var element = ContentsElement(name: Self.elementName, line: line)
    for field in Self.fields {
      if let value = field.write(self) { element.attributes.append(.init(name: field.name, value: value)) }
    }
    element.attributes += unknown.attributes.sorted { $0.key < $1.key }
      .map { .init(name: $0.key, value: $0.value) }
    element.children = Self.children.flatMap { $0.write(self) } + unknown.elements
    return element
  }
}

/// The position of a reader in its file, for messages: the file and the enclosing elements.
struct ContentsContext {
  let file: String?
  private var path: [String] = []
  private var line: Int?

  init(file: String?) { self.file = file }

  func entering(_ element: ContentsElement) -> ContentsContext {
    var inside = self
    inside.line = element.line.number
    let name = element["name"] ?? element["key"] ?? element["value"]
    inside.path.append(name.map { "\(element.name) \($0)" } ?? element.name)
    return inside
  }

  func error(attribute: String? = nil, problem: String) -> ModelFileError {
    // "model" adds nothing to the file's name.
    let names = path.count > 1 ? path.dropFirst() : path[...]
    return ModelFileError(
      .corrupt,
      file: file,
      line: line,
      element: names.joined(separator: ", "),
      attribute: attribute,
      problem: problem
    )
  }
}
