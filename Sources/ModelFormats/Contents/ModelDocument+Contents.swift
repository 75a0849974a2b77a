public import Foundation

extension ModelDocument {
  /// Reads the XML of a model: the text of the file `contents` in an `.xcdatamodel`.
  ///
  /// - Parameters:
  ///   - contents: the text of the file.
  ///   - file: the name by which messages call the file.
  /// - Throws: `ModelFileError` with element, attribute and line, when the text is not XML or not a model, or when it
  ///   gives an attribute a value that cannot be understood. Parts that are merely unknown are kept in `unknown`.
  public init(contents: Data, file: String? = nil) throws(ModelFileError) {
    let root = try ContentsParser.parse(contents, file: file)
    guard root.name == Self.elementName else {
      throw ModelFileError(
        .corrupt,
        file: file,
        line: root.line.number,
        element: root.name,
        problem: "the file holds a <\(root.name)> and no <model>; it is not the contents of an .xcdatamodel"
      )
    }
    try self.init(root, context: ContentsContext(file: file))
  }

  /// The XML of the model, laid out as Xcode does.
  public var contents: String { ContentsPrinter.print(contentsElement) }

  /// The parts of the document that `contents` leaves out because a model's XML cannot express them, in words.
  public var inexpressibleParts: [String] {
    entities.flatMap { entity in
      entity.attributes.flatMap { attribute in
        attribute.validations.map {
          "entity \(entity.name), attribute \(attribute.name): the condition \($0.predicate)"
        }
      }
        + entity.fetchIndexes.compactMap { index in
          index.partialIndexPredicate.map { "entity \(entity.name), index \(index.name): the condition \($0)" }
        }
    }
  }

  /// The unknown parts of the file, in words: the line, the enclosing element, and the unknown attribute or element.
  public var unknownParts: [String] { unknownParts(path: []).map(\.description) }

  /// The unknown parts of the file, each with its line.
  var unknownContents: [UnknownPart] { unknownParts(path: []) }
}

/// An unknown XML attribute or element.
struct UnknownPart: CustomStringConvertible {
  enum Kind: String {
    case attribute
    case element
  }

  let kind: Kind
  let name: String
  /// The element that it is in.
  let owner: String
  /// The parts around, from the outermost: `entity Note`, `attribute title`.
  let path: [String]
  let line: SourceLine

  /// `attribute extra of <entity>`
  var title: String { kind == .attribute ? "attribute \(name) of <\(owner)>" : "element <\(name)> in <\(owner)>" }

  var description: String {
    let number = line.number.map { "line \($0): " } ?? ""
    let place = path.isEmpty ? "" : path.joined(separator: ", ") + ": "
    return "\(number)\(place)\(title) is unknown"
  }
}

extension ContentsPart {
  /// The unknown attributes and elements of the part and of all parts inside it.
  fileprivate func unknownParts(path: [String]) -> [UnknownPart] {
    func part(_ kind: UnknownPart.Kind, name: String, line: SourceLine) -> UnknownPart {
      UnknownPart(kind: kind, name: name, owner: Self.elementName, path: path, line: line)
    }
    let attributes = unknown.attributes.keys.sorted().map { part(.attribute, name: $0, line: line) }
    let elements = unknown.elements.flatMap { element in
      // Of an element that only holds others, what is unknown in it has been kept under its name.
      guard Self.children.contains(where: { $0.name == element.name }) else {
        return [part(.element, name: element.name, line: element.line)]
      }
      func inner(_ kind: UnknownPart.Kind, name: String, line: SourceLine) -> UnknownPart {
        UnknownPart(kind: kind, name: name, owner: element.name, path: path, line: line)
      }
      return element.attributes.map { inner(.attribute, name: $0.name, line: element.line) }
        + element.children.map { inner(.element, name: $0.name, line: $0.line) }
    }
    let inner = Self.children.flatMap { $0.parts(self) }.flatMap {
      $0.unknownParts(path: path + [$0.title])
    }
    return attributes + elements + inner
  }

  private var title: String {
    let name = Self.fields.first { $0.isRequired }.flatMap { $0.write(self) }
    return name.map { "\(Self.elementName) \($0)" } ?? Self.elementName
  }
}
