extension ModelDocument {
  /// An index of a model document.
  public struct FetchIndex: Hashable, Sendable {
    /// The name, unique in the entity.
    public var name = ""
    /// The properties and expressions that are indexed, the most significant first.
    public var elements: [FetchIndexElement] = []
    /// The format of the condition that limits the index to some objects. The form of such a
    /// condition in the XML of a model is not known; it is not written there.
    public var partialIndexPredicate: String?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an index.
    public init(name: String, elements: [FetchIndexElement]) {
      self.name = name
      self.elements = elements
    }

    init() {}
  }

  /// An element of an index.
  public struct FetchIndexElement: Hashable, Sendable {
    /// The structure in which a store builds the element.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// A tree in the order of the values.
      case binary = "Binary"
      /// A tree of ranges, for values that are searched by their bounds.
      case rTree = "RTree"
    }

    /// The order of the values in the index.
    public enum Order: String, CaseIterable, Hashable, Sendable {
      /// The smallest value comes first.
      case ascending
      /// The greatest value comes first.
      case descending
    }

    /// The name of the property.
    public var property: String?
    /// The expression, if the element does not index a property.
    public var expression: String?
    /// The type of the expression's values.
    public var expressionType: String?
    /// The structure in which a store builds the element; `nil` is binary.
    public var kind: Kind?
    /// The order of the values in the index; `nil` is ascending.
    public var order: Order?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an element over a property.
    public init(property: String, kind: Kind = .binary, order: Order = .ascending) {
      self.property = property
      self.kind = kind
      self.order = order
    }

    init() {}
  }

  /// An index over several properties, in the older style.
  public struct CompoundIndex: Hashable, Sendable {
    /// The properties, the most significant first.
    public var properties: [PropertyName] = []

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an index over properties.
    public init(properties: [String]) {
      self.properties = properties.map { PropertyName(value: $0) }
    }

    init() {}

    /// A property of the index.
    public struct PropertyName: Hashable, Sendable {
      /// The name of the property.
      public var value = ""

      /// The line of the file that declares this.
      public var line = SourceLine()
      /// The unknown attributes and elements.
      public var unknown = UnknownContents()

      init(value: String) { self.value = value }

      init() {}
    }
  }

  /// A group of properties that make an object unique.
  public struct UniquenessConstraint: Hashable, Sendable {
    /// The properties.
    public var properties: [PropertyName] = []

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a constraint over properties.
    public init(properties: [String]) {
      self.properties = properties.map { PropertyName(value: $0) }
    }

    init() {}

    /// A property of the constraint.
    public struct PropertyName: Hashable, Sendable {
      /// The name of the property.
      public var value = ""

      /// The line of the file that declares this.
      public var line = SourceLine()
      /// The unknown attributes and elements.
      public var unknown = UnknownContents()

      init(value: String) { self.value = value }

      init() {}
    }
  }
}

extension ModelDocument.FetchIndex: ContentsPart {
  static let elementName = "fetchIndex"
  static let fields: [ContentsField<Self>] = [.name("name", path: \.name)]
  static let children: [ContentsChild<Self>] = [.many(\.elements)]
}

extension ModelDocument.FetchIndexElement: ContentsPart {
  static let elementName = "fetchIndexElement"
  static let fields: [ContentsField<Self>] = [
    .text("property", path: \.property),
    .text("expression", path: \.expression),
    .text("expressionType", path: \.expressionType),
    .word("type", \.kind),
    .word("order", \.order),
  ]
}

extension ModelDocument.CompoundIndex: ContentsPart {
  static let elementName = "compoundIndex"
  static let fields: [ContentsField<Self>] = []
  static let children: [ContentsChild<Self>] = [.many(\.properties)]
}

extension ModelDocument.CompoundIndex.PropertyName: ContentsPart {
  static let elementName = "index"
  static let fields: [ContentsField<Self>] = [.name("value", path: \.value)]
}

extension ModelDocument.UniquenessConstraint: ContentsPart {
  static let elementName = "uniquenessConstraint"
  static let fields: [ContentsField<Self>] = []
  static let children: [ContentsChild<Self>] = [.many(\.properties)]
}

extension ModelDocument.UniquenessConstraint.PropertyName: ContentsPart {
  static let elementName = "constraint"
  static let fields: [ContentsField<Self>] = [.name("value", path: \.value)]
}
