extension ModelDocument {
  /// The type of an attribute, by the name that model files use.
  public enum AttributeType: String, CaseIterable, Hashable, Sendable {
    /// No type: the attribute is transient, and its values are of any class.
    case undefined = "Undefined"
    /// A whole number of 16 bits.
    case integer16 = "Integer 16"
    /// A whole number of 32 bits.
    case integer32 = "Integer 32"
    /// A whole number of 64 bits.
    case integer64 = "Integer 64"
    /// A decimal number, as `Decimal` has it.
    case decimal = "Decimal"
    /// A floating-point number of 64 bits.
    case double = "Double"
    /// A floating-point number of 32 bits.
    case float = "Float"
    /// A text.
    case string = "String"
    /// Yes or no.
    case boolean = "Boolean"
    /// A point in time.
    case date = "Date"
    /// Data.
    case binary = "Binary"
    /// A UUID.
    case uuid = "UUID"
    /// A URL.
    case uri = "URI"
    /// A value that a value transformer makes data of.
    case transformable = "Transformable"
    /// The ID of an object. No store keeps such values.
    case objectID = "ObjectID"
    /// Several attributes under one name.
    case composite = "Composite"

    /// The raw value of Apple's `NSAttributeType`, which is part of the version hash.
    public var number: UInt32 { AttributeKind(self).number }

    /// The type with a raw value of Apple's `NSAttributeType`; `nil` if there is none.
    public init?(number: UInt32) {
      guard let kind = AttributeKind.all.first(where: { $0.number == number }) else { return nil }
      self = kind.type
    }
  }

  /// A condition that the values of an attribute have to fulfil.
  public struct Validation: Hashable, Sendable {
    /// The format of the predicate, which is evaluated against the value (`SELF`).
    public var predicate: String
    /// The message for a value that does not fulfil the condition.
    public var warning: String?
    /// The code of the error when it is not fulfilled.
    public var code: Int?

    /// Makes a condition.
    public init(predicate: String) { self.predicate = predicate }
  }

  /// An attribute of a model document.
  public struct Attribute: Hashable, Sendable {
    /// The name, unique in the entity.
    public var name = ""
    /// The type of the values, or `nil` when the author has not chosen one.
    public var type: AttributeType?
    /// True when an object may be saved without a value.
    public var isOptional = false
    /// True when the attribute is kept in memory only.
    public var isTransient = false
    /// True when a store should index the attribute, in the older style.
    public var isIndexed = false
    /// True if Spotlight indexes the attribute on Apple's platforms.
    public var isIndexedBySpotlight = false
    /// True if the attribute is stored in an external record on macOS.
    public var isStoredInTruthFile = false
    /// True if the attribute is synchronised; without an effect.
    public var isSyncable = false
    /// The default value as text, for all types but dates.
    public var defaultValueString: String?
    /// The default value of a date, in seconds since 2001-01-01 00:00:00 UTC.
    public var defaultDateTimeInterval: Double?
    /// The smallest number, or the length of the shortest string.
    public var minValueString: String?
    /// The largest number, or the length of the longest string.
    public var maxValueString: String?
    /// The earliest date, in seconds since 2001-01-01 00:00:00 UTC.
    public var minDateTimeInterval: Double?
    /// The latest date, in seconds since 2001-01-01 00:00:00 UTC.
    public var maxDateTimeInterval: Double?
    /// The regular expression that a string has to match.
    public var regularExpressionString: String?
    /// True when generated code uses a Swift number, where there is a choice.
    public var usesScalarValueType: Bool?
    /// The name of the transformer of a transformable attribute's values.
    public var valueTransformerName: String?
    /// The name of the class of a transformable attribute's values.
    public var customClassName: String?
    /// True when a store may keep large values in files of their own.
    public var allowsExternalBinaryDataStorage = false
    /// True when the history keeps the value of an object that is deleted.
    public var preservesValueInHistoryOnDeletion = false
    /// True when CloudKit encrypts the value on Apple's platforms.
    public var allowsCloudEncryption = false
    /// True when a store computes the value.
    public var isDerived = false
    /// The expression by which a store computes the value: `now()`, `children.@count`, `canonical:(name)`.
    public var derivationExpression: String?
    /// The name of the composite that the attribute has as its type.
    public var composite: String?
    /// The renaming identifier: the attribute's name in older versions of the model.
    public var elementID: String?
    /// A text that is part of the version hash.
    public var versionHashModifier: String?
    /// Words of the model's author.
    public var userInfo: [UserInfoEntry]?
    /// Conditions other than the bounds above, which a model's XML cannot express.
    public var validations: [Validation] = []

    /// The line of the file that declares this.
    public var line = SourceLine()
    /// The unknown attributes and elements.
    public var unknown = UnknownContents()

    /// Makes an attribute.
    public init(name: String, type: AttributeType) {
      self.name = name
      self.type = type
    }

    init() {}
  }
}

extension ModelDocument.Attribute: ContentsPart {
  static let elementName = "attribute"
  static let fields: [ContentsField<Self>] = [
    .name("name", path: \.name),
    .flag("optional", path: \.isOptional),
    .flag("transient", path: \.isTransient),
    .word("attributeType", \.type),
    .text("minValueString", path: \.minValueString),
    .text("maxValueString", path: \.maxValueString),
    .interval("minDateTimeInterval", path: \.minDateTimeInterval),
    .interval("maxDateTimeInterval", path: \.maxDateTimeInterval),
    .text("defaultValueString", path: \.defaultValueString),
    .interval("defaultDateTimeInterval", path: \.defaultDateTimeInterval),
    .choice("usesScalarValueType", path: \.usesScalarValueType),
    .text("valueTransformerName", path: \.valueTransformerName),
    .text("customClassName", path: \.customClassName),
    .text("composite", path: \.composite),
    .text("regularExpressionString", path: \.regularExpressionString),
    .flag("derived", path: \.isDerived),
    .text("derivationExpression", path: \.derivationExpression),
    .flag("allowsExternalBinaryDataStorage", path: \.allowsExternalBinaryDataStorage),
    .flag("allowsCloudEncryption", path: \.allowsCloudEncryption),
    .flag("preserveAfterDeletion", path: \.preservesValueInHistoryOnDeletion),
    .flag("indexed", path: \.isIndexed),
    .flag("spotlightIndexingEnabled", path: \.isIndexedBySpotlight),
    .flag("storedInTruthFile", path: \.isStoredInTruthFile),
    .text("elementID", path: \.elementID),
    .text("versionHashModifier", path: \.versionHashModifier),
    .flag("syncable", path: \.isSyncable),
  ]
  static let children: [ContentsChild<Self>] = [.wrapped(in: "userInfo", path: \.userInfo)]
}
