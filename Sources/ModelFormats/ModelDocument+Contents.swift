public import Foundation

extension ModelDocument {
  /// Reads the XML of a model: the text of the file `contents` in an `.xcdatamodel`.
  ///
  /// - Parameters:
  ///   - contents: the text of the file.
  ///   - file: how messages name the file.
  /// - Throws: `ModelFileError` with element, attribute and line, when the text is no XML, no model, or
  ///   gives an attribute a value that cannot be understood. What is merely unknown is kept in `unknown`.
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

  /// What the document says that `contents` leaves out, because the XML of a model has no place for it, in words.
  public var inexpressibleParts: [String] {
    entities.flatMap { entity in
      entity.attributes.flatMap { attribute in
        attribute.validations.map {
          "entity \(entity.name), attribute \(attribute.name): the condition \($0.predicate)"
        }
      }
        + entity.fetchIndexes.compactMap { index in
          index.partialIndexPredicate.map {
            "entity \(entity.name), index \(index.name): the condition \($0)"
          }
        }
    }
  }

  /// What the file says that the document has no name for, in words: the line, where it is, and the
  /// attribute or element that is unknown.
  public var unknownParts: [String] { unknownParts(path: []) }
}

extension ContentsPart {
  /// What is unknown in the part and in all parts inside it.
  fileprivate func unknownParts(path: [String]) -> [String] {
    func place(_ line: SourceLine) -> String {
      let number = line.number.map { "line \($0): " } ?? ""
      return path.isEmpty ? number : number + path.joined(separator: ", ") + ": "
    }
    let attributes = unknown.attributes.keys.sorted().map {
      "\(place(line))attribute \($0) of <\(Self.elementName)> is unknown"
    }
    let elements = unknown.elements.map {
      "\(place($0.line))element <\($0.name)> in <\(Self.elementName)> is unknown"
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
