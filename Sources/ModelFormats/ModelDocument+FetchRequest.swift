extension ModelDocument {
  /// A fetch request of a model document: a template of the model, or what a fetched property runs.
  public struct FetchRequest: Hashable, Sendable {
    /// The name of the template.
    public var name = ""
    /// The name of the entity to fetch.
    public var entity: String?
    /// The format of the predicate, with `$names` for values that are set later.
    public var predicateString: String?
    /// The largest number of objects to fetch.
    public var fetchLimit: Int?
    /// The number of objects to fetch at a time.
    public var fetchBatchSize: Int?
    /// The raw value of Apple's `NSFetchRequestResultType`.
    public var resultType: Int?
    /// True when values are fetched along with the objects.
    public var includesPropertyValues: Bool?
    /// True when objects of subentities are fetched.
    public var includesSubentities: Bool?
    /// True if unsaved changes are included.
    public var includesPendingChanges: Bool?
    /// True when equal results are returned once.
    public var returnsDistinctResults: Bool?
    /// True when objects are returned without their values.
    public var returnsObjectsAsFaults: Bool?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a request for the objects of an entity.
    public init(name: String, entity: String) {
      self.name = name
      self.entity = entity
    }

    init() {}
  }

  /// A fetched property of a model document.
  public struct FetchedProperty: Hashable, Sendable {
    /// The name, unique in the entity.
    public var name = ""
    /// True if the property is optional; without an effect.
    public var isOptional = false
    /// True when the property is kept in memory only, which all fetched properties are.
    public var isTransient = false
    /// True if the property is synchronised; without an effect.
    public var isSyncable = false
    /// The renaming identifier: the property's name in older versions of the model.
    public var elementID: String?
    /// A text for the version hash, which does not cover fetched properties.
    public var versionHashModifier: String?
    /// The request for the objects that the property fetches.
    public var fetchRequest: FetchRequest?
    /// Words of the model's author.
    public var userInfo: [UserInfoEntry]?

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes a fetched property.
    public init(name: String, fetchRequest: FetchRequest) {
      self.name = name
      self.fetchRequest = fetchRequest
    }

    init() {}
  }
}

extension ModelDocument.FetchRequest: ContentsPart {
  static let elementName = "fetchRequest"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .text("entity", path: \.entity),
    .text("predicateString", path: \.predicateString),
    .count("fetchLimit", path: \.fetchLimit),
    .count("fetchBatchSize", path: \.fetchBatchSize),
    .count("resultType", path: \.resultType),
    .choice("includeSubentities", path: \.includesSubentities),
    .choice("includePropertyValues", path: \.includesPropertyValues),
    .choice("includesPendingChanges", path: \.includesPendingChanges),
    .choice("returnObjectsAsFaults", path: \.returnsObjectsAsFaults),
    .choice("returnDistinctResults", path: \.returnsDistinctResults),
  ]
}

extension ModelDocument.FetchedProperty: ContentsPart {
  static let elementName = "fetchedProperty"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .flag("optional", path: \.isOptional),
    .flag("transient", path: \.isTransient),
    .text("elementID", path: \.elementID),
    .text("versionHashModifier", path: \.versionHashModifier),
    .flag("syncable", path: \.isSyncable),
  ]
  static let children: [ContentsChild<Self>] = [
    .one(\.fetchRequest),
    .wrapped(in: "userInfo", path: \.userInfo),
  ]
}
