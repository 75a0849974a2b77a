extension ModelDocument {
  /// An entity of a model document.
  public struct Entity: Hashable, Sendable {
    /// The part of an entity's class that the build writes.
    public enum CodeGeneration: String, CaseIterable, Hashable, Sendable {
      /// The build generates the whole class.
      case classDefinition = "class"
      /// The build writes the properties, as an extension.
      case category
    }

    /// The name, unique in the model.
    public var name = ""
    /// The name of the class; with a dot in front a class of the module that the model is built into.
    public var representedClassName: String?
    /// True when there are objects of subentities only.
    public var isAbstract = false
    /// The name of the entity that this one inherits from.
    public var parentEntity: String?
    /// The renaming identifier: the entity's name in older versions of the model.
    public var elementID: String?
    /// A text that is part of the version hash.
    public var versionHashModifier: String?
    /// True if the entity is synchronised; without an effect.
    public var isSyncable = false
    /// The part of the class that the build writes, or `nil` when the author writes all of it.
    public var codeGeneration: CodeGeneration?
    /// The expression of the name that Spotlight shows on Apple's platforms.
    public var coreSpotlightDisplayNameExpression: String?

    /// The attributes that the entity declares itself.
    public var attributes: [Attribute] = []
    /// The relationships that the entity declares itself.
    public var relationships: [Relationship] = []
    /// The fetched properties that the entity declares itself.
    public var fetchedProperties: [FetchedProperty] = []
    /// The indexes.
    public var fetchIndexes: [FetchIndex] = []
    /// The indexes over several properties, in the older style.
    public var compoundIndexes: [CompoundIndex]?
    /// The groups of properties that make an object unique.
    public var uniquenessConstraints: [UniquenessConstraint]?
    /// Words of the model's author.
    public var userInfo: [UserInfoEntry]?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an entity.
    public init(name: String) { self.name = name }

    init() {}
  }

  /// An entry of the user info of an entity, an attribute, a relationship or a fetched property.
  public struct UserInfoEntry: Hashable, Sendable {
    /// The key.
    public var key = ""
    /// The value.
    public var value: String?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an entry.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }

    init() {}
  }
}

extension ModelDocument.Entity: ContentsPart {
  static let elementName = "entity"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .text("representedClassName", path: \.representedClassName),
    .flag("isAbstract", path: \.isAbstract),
    .text("parentEntity", path: \.parentEntity),
    .text("elementID", path: \.elementID),
    .text("versionHashModifier", path: \.versionHashModifier),
    .text("coreSpotlightDisplayNameExpression", path: \.coreSpotlightDisplayNameExpression),
    .flag("syncable", path: \.isSyncable),
    .word("codeGenerationType", \.codeGeneration),
  ]
  static let children: [ContentsChild<Self>] = [
    .many(\.attributes),
    .many(\.relationships),
    .many(\.fetchedProperties),
    .many(\.fetchIndexes),
    .wrapped(in: "compoundIndexes", path: \.compoundIndexes),
    .wrapped(in: "uniquenessConstraints", path: \.uniquenessConstraints),
    .wrapped(in: "userInfo", path: \.userInfo),
  ]
}

extension ModelDocument.UserInfoEntry: ContentsPart {
  static let elementName = "entry"
  static let fields: [ContentsField<Self>] = [.name("key", path: \.key), .text("value", path: \.value)]
}
