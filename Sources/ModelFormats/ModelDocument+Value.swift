public import Foundation

extension ModelDocument {
  /// A value of an attribute in a model: a default, or a bound of what is valid.
  public enum Value: Hashable, Sendable {
    /// A whole number, of any of the three sizes.
    case integer(Int64)
    /// A decimal number.
    case decimal(Decimal)
    /// A floating-point number, of either size.
    case double(Double)
    /// A text.
    case string(String)
    /// Yes or no.
    case boolean(Bool)
    /// A point in time.
    case date(Date)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case uri(URL)

    /// Parses the text of a value in a model file, or returns `nil` if it is not a value of the type.
    ///
    /// Whole numbers have to fit their type. For the lengths of strings, pass a type of whole numbers.
    public init?(_ text: String, type: AttributeType) {
      let kind = AttributeKind(type)
      switch kind.storage {
      case .integer: self.init(integer: text, in: kind.range ?? .min ... .max)
      case .decimal:
        guard Self.isNumber(text), let decimal = Decimal(string: text) else { return nil }
        self = .decimal(decimal)
      case .real:
        guard let number = Double(text) else { return nil }
        self = .double(number)
      case .text: self = .string(text)
      case .boolean:
        switch text.lowercased() {
        case "yes", "true", "1": self = .boolean(true)
        case "no", "false", "0": self = .boolean(false)
        default: return nil
        }
      case .date:
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        self = .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .uuid:
        guard let uuid = UUID(uuidString: text) else { return nil }
        self = .uuid(uuid)
      case .uri:
        guard let url = URL(string: text) else { return nil }
        self = .uri(url)
      case .data, .transformable, .composite, .none: return nil
      }
    }

    /// Parses a whole number. Editors leave `0.0` when the type of an attribute is changed, so that
    /// this text is accepted, too.
    private init?(integer text: String, in range: ClosedRange<Int64>) {
      guard let number = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:)), range.contains(number)
      else { return nil }
      self = .integer(number)
    }

    /// Returns true when a text is a decimal number as a whole; `Decimal(string:)` is content with its beginning.
    private static func isNumber(_ text: String) -> Bool {
      let digits = text.drop { $0 == "-" || $0 == "+" }
      return Double(text) != nil && digits.allSatisfy { "0123456789.eE+-".contains($0) }
    }
  }
}

extension ModelDocument.Value {
  /// The text of the value in a model file, for an attribute of a type; dates have numbers instead.
  public func text(for type: ModelDocument.AttributeType) -> String {
    switch self {
    case .integer(let value): type == .boolean ? (value == 0 ? "NO" : "YES") : String(value)
    case .decimal(let value): "\(value)"
    case .double(let value):
      Int64(exactly: value).map { type == .double || type == .float ? "\($0).0" : "\($0)" } ?? "\(value)"
    case .string(let value): value
    case .boolean(let value): type == .boolean ? (value ? "YES" : "NO") : (value ? "1" : "0")
    case .date(let value): "\(value.timeIntervalSinceReferenceDate)"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    }
  }
}

extension ModelDocument.AttributeType {
  /// True when a model file can give a default value as text or as a date.
  public var canHaveDefault: Bool {
    let storage = AttributeKind(self).storage
    return storage.isPlain && storage != .data
  }

  /// The type of the bounds of valid values: the lengths of strings are whole numbers. `nil` without bounds.
  public var boundType: ModelDocument.AttributeType? {
    switch AttributeKind(self).storage {
    case .integer, .decimal, .real, .date: self
    case .text: .integer64
    case .boolean, .data, .uuid, .uri, .transformable, .composite, .none: nil
    }
  }
}

extension ModelDocument.Attribute {
  /// The default value, or `nil` when the attribute has none, when its type cannot have one, or when
  /// the text is not a value of the type.
  ///
  /// Xcode's compiler accepts a text of another type, such as `NO` for a whole number.
  public func defaultValue() -> ModelDocument.Value? {
    let type = type ?? .undefined
    guard type.canHaveDefault else { return nil }
    if type == .date, let seconds = defaultDateTimeInterval {
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    return defaultValueString.flatMap { ModelDocument.Value($0, type: type) }
  }

  /// The text of a default value that does not have the attribute's type, so that new objects do
  /// not get a value; `nil` if there is no such text.
  var mistypedDefault: String? {
    guard type?.canHaveDefault == true, defaultValue() == nil else { return nil }
    return defaultValueString
  }

  /// The smallest valid value, or the length of the shortest string; `nil` when there is no such bound.
  ///
  /// - Throws: `ModelFileError` if the text is not a value of the type.
  public func minimum() throws(ModelFileError) -> ModelDocument.Value? {
    try bound(minValueString, seconds: minDateTimeInterval, xmlAttribute: "minValueString")
  }

  /// The largest valid value, or the length of the longest string; `nil` when there is no such bound.
  ///
  /// - Throws: `ModelFileError` if the text is not a value of the type.
  public func maximum() throws(ModelFileError) -> ModelDocument.Value? {
    try bound(maxValueString, seconds: maxDateTimeInterval, xmlAttribute: "maxValueString")
  }

  private func bound(
    _ text: String?,
    seconds: Double?,
    xmlAttribute: String
  ) throws(ModelFileError) -> ModelDocument.Value? {
    guard let type = type?.boundType else { return nil }
    if type == .date {
      return seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }
    return try value(text, type: type, xmlAttribute: xmlAttribute)
  }

  private func value(
    _ text: String?,
    type: ModelDocument.AttributeType,
    xmlAttribute: String
  ) throws(ModelFileError) -> ModelDocument.Value? {
    guard let text else { return nil }
    if let value = ModelDocument.Value(text, type: type) { return value }
    throw ModelFileError(
      .corrupt,
      line: line.number,
      element: "attribute \(name)",
      attribute: xmlAttribute,
      problem: "\"\(text)\" is not a value of type \(type.rawValue)"
    )
  }
}
