extension ModelDocument {
  /// A configuration of a model document: the entities that go into a store.
  public struct Configuration: Hashable, Sendable {
    /// The name.
    public var name = ""
    /// True when the configuration's store is kept in CloudKit on Apple's platforms.
    public var isUsedWithCloudKit = false
    /// The entities.
    public var members: [Member] = []

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a configuration of entities.
    public init(name: String, entities: [String]) {
      self.name = name
      members = entities.map { Member(name: $0) }
    }

    init() {}

    /// An entity of the configuration.
    public struct Member: Hashable, Sendable {
      /// The entity's name.
      public var name = ""

      /// The line of the file that declares this.
      public var line = SourceLine()
      /// The unknown attributes and elements.
      public var unknown = UnknownContents()

      init(name: String) { self.name = name }

      init() {}
    }
  }

  /// A composite of a model document: a group of attributes that an attribute may have as its type.
  public struct Composite: Hashable, Sendable {
    /// The name, by which attributes refer to the composite.
    public var name = ""
    /// The attributes of the group.
    public var attributes: [Attribute] = []

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a composite of attributes.
    public init(name: String, attributes: [Attribute]) {
      self.name = name
      self.attributes = attributes
    }

    init() {}
  }

  /// The position and size of an entity in the editor.
  public struct DiagramElement: Hashable, Sendable {
    /// The entity's name.
    public var name: String?
    /// The distance from the left, as the editor wrote it.
    public var positionX: String?
    /// The distance from the top, as the editor wrote it.
    public var positionY: String?
    /// The width, as the editor wrote it.
    public var width: String?
    /// The height, as the editor wrote it.
    public var height: String?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a position for an entity.
    public init(name: String) { self.name = name }

    init() {}
  }
}

extension ModelDocument.Configuration: ContentsPart {
  static let elementName = "configuration"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .flag("usedWithCloudKit", path: \.isUsedWithCloudKit),
  ]
  static let children: [ContentsChild<Self>] = [.many(\.members)]
}

extension ModelDocument.Configuration.Member: ContentsPart {
  static let elementName = "memberEntity"
  static let fields: [ContentsField<Self>] = [.name("name", path: \.name)]
}

extension ModelDocument.Composite: ContentsPart {
  static let elementName = "composite"
  static let fields: [ContentsField<Self>] = [.name("name", path: \.name)]
  static let children: [ContentsChild<Self>] = [.many(\.attributes)]
}

extension ModelDocument.DiagramElement: ContentsPart {
  static let elementName = "element"
  static let fields: [ContentsField<Self>] = [
    .text("name", path: \.name),
    .text("positionX", path: \.positionX),
    .text("positionY", path: \.positionY),
    .text("width", path: \.width),
    .text("height", path: \.height),
  ]
}
