/// An element of a model file's XML, unchanged.
public struct ContentsElement: Hashable, Sendable {
  /// An attribute of an element.
  public struct Attribute: Hashable, Sendable {
    /// The attribute's name.
    public var name: String
    /// The attribute's value, unescaped.
    public var value: String

    /// Makes an attribute.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The element's name.
  public var name: String
  /// The attributes in the order in which they are to be written; a parsed element has them by name.
  public var attributes: [Attribute]
  /// The elements inside, in their order.
  public var children: [ContentsElement]
  /// The text inside, without white space at its ends; empty in all that is known of model files.
  public var text: String
  /// The line of the file on which the element begins.
  public var line: SourceLine

  /// Makes an element.
  public init(
    name: String,
    attributes: [Attribute] = [],
    children: [ContentsElement] = [],
    text: String = "",
    line: SourceLine = SourceLine()
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
    self.line = line
  }

  /// The value of an attribute, or `nil` when the element does not have it.
  public subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }
}

/// The attributes and elements of a model file that `ModelDocument` has no name for: kept, written back and reported.
public struct UnknownContents: Hashable, Sendable {
  /// The attributes, by name.
  public var attributes: [String: String] = [:]
  /// The elements, with all that is in them.
  public var elements: [ContentsElement] = []

  /// Makes an empty collection.
  public init() {}

  /// True if all parts are known.
  public var isEmpty: Bool { attributes.isEmpty && elements.isEmpty }
}
