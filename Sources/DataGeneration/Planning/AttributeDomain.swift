import CoreData
import Foundation
import ModelFormats
import Seeding

/// The values that an attribute may have, from its type, its rules and its name.
struct AttributeDomain {
  let attribute: NSAttributeDescription
  let rules: AttributeRules
  let entity: String
  let place: String

  /// - Parameter kind: The subject of the texts, if it differs from the model's.
  init(_ attribute: NSAttributeDescription, entity: String, kind: TextKind? = nil) throws(GenerationError) {
    self.attribute = attribute
    self.entity = entity
    place = "\(entity).\(attribute.name)"
    var rules = try AttributeRules(attribute, at: place)
    if let kind { rules.kind = kind }
    self.rules = rules
  }

  /// The subject of the texts.
  var textKind: TextKind { rules.kind ?? TextKind(name: attribute.name, entity: entity) }

  /// Nil for an attribute that seeds do not set, and for an optional attribute whose valid values are unknown.
  /// - Parameter count: The number of values that are to differ from each other; 0 when any may be the same.
  func values(distinct count: UInt64) throws(GenerationError) -> ValueDomain? {
    if let choices = rules.choices {
      return .choice(try choices.map { text throws(GenerationError) in try chosen(text) })
    }
    let kind = AttributeKind(attribute.attributeType)
    switch kind.storage {
    case .integer: return try integers(within: kind.range ?? Int64.min...Int64.max, count: count)
    case .real: return try hundredths { .real(Double($0) / 100) }
    case .decimal:
      return try hundredths { number in
        let sign: FloatingPointSign = number < 0 ? .minus : .plus
        let decimal = Decimal(sign: sign, exponent: -2, significand: Decimal(number.magnitude))
        return .text("\(decimal)")
      }
    case .boolean: return .choice([.bool(false), .bool(true)])
    case .text: return try texts(distinct: count)
    case .date: return try dates()
    case .data: return Self.data
    case .uuid: return .identifiers
    case .uri: return Self.numbered(TextKind.url.domain, distinct: count)
    case .composite: return try composites()
    case .transformable: return try transformables()
    case .none: return nil
    }
  }

  private func chosen(_ text: String) throws(GenerationError) -> GeneratedValue {
    switch AttributeKind(attribute.attributeType).storage {
    case .integer:
      if let number = Int64(text), attribute.takesSeedText(text) { return .integer(number) }
    case .real:
      if let number = Double(text), number.isFinite { return .real(number) }
    case .boolean:
      if let truth = Bool(text.lowercased()) { return .bool(truth) }
    default: if attribute.takesSeedText(text) { return .text(text) }
    }
    throw GenerationError(
      place: place,
      problem: "generate.values has \"\(text)\", which is not a value of the attribute's type",
      remedy: "correct it in the model"
    )
  }

  // MARK: - Numbers

  private func integers(within type: ClosedRange<Int64>, count: UInt64) throws(GenerationError)
    -> ValueDomain
  {
    let usual = NumberRange(name: attribute.name).range
    var range = (Int64(usual.lowerBound.rounded(.up)), Int64(usual.upperBound.rounded(.down)))
    // Unique numbers are sequential.
    if count > 0 { range = (1, .max) }
    if let minimum = rules.minimum {
      range = (Self.integer(minimum.rounded(.up)), max(range.1, Self.integer(minimum.rounded(.up)) &+ 1000))
    }
    if let maximum = rules.maximum {
      let bound = Self.integer(maximum.rounded(.down))
      range = (rules.minimum == nil ? min(range.0, bound) : range.0, bound)
    }
    let low = max(range.0, type.lowerBound)
    let high = min(range.1, type.upperBound)
    guard low <= high else { throw empty }
    return .integers(low...high)
  }

  private static func integer(_ number: Double) -> Int64 { Int64(exactly: number) ?? (number < 0 ? .min : .max) }

  private func hundredths(_ generate: @escaping @Sendable (Int64) -> GeneratedValue) throws(GenerationError)
    -> ValueDomain
  {
    let usual = NumberRange(name: attribute.name).range
    var low = usual.lowerBound
    var high = usual.upperBound
    if let minimum = rules.minimum {
      low = minimum
      high = max(high, minimum + 1000)
    }
    if let maximum = rules.maximum {
      high = maximum
      if rules.minimum == nil { low = min(low, maximum) }
    }
    let first = Self.integer((low * 100).rounded(.up))
    let last = Self.integer((high * 100).rounded(.down))
    guard low <= high else { throw empty }
    if first > last, rules.minimum == low {
      return attribute.attributeType == .decimalAttributeType
        ? .choice([.text("\(low)")]) : .choice([.real(low)])
    }
    guard first <= last else { throw empty }
    let numbers = ValueDomain.integers(first...last)
    return ValueDomain(size: numbers.size) { generate(first &+ Int64(bitPattern: $0)) }
  }

  private var empty: GenerationError {
    GenerationError(place: place, problem: "the validation rules leave no value", remedy: "correct them in the model")
  }

  private func dates() throws(GenerationError) -> ValueDomain {
    let usual = DateRange(name: attribute.name).range
    let low = rules.minimum.map { Self.seconds($0.rounded(.up)) } ?? usual.lowerBound
    let high =
      rules.maximum.map { Self.seconds($0.rounded(.down)) } ?? max(usual.upperBound, low + 86_400 * 365)
    let first = rules.minimum == nil ? min(low, high) : low
    guard first <= high else { throw empty }
    return ValueDomain(size: UInt64(high - first) + 1) { .text(DateText.of(first + Int64($0))) }
  }

  /// Within the years 1 to 9999, which ISO 8601 has four digits for.
  private static func seconds(_ number: Double) -> Int64 { Int64(min(max(number, -62_135_596_800), 253_370_764_799)) }

  // MARK: - Texts

  private func texts(distinct count: UInt64) throws(GenerationError) -> ValueDomain {
    if let expression = rules.expression {
      let pattern = try pattern(expression)
      return ValueDomain(size: pattern.size) { .text(pattern.text($0)) }
    }
    let hasLength = rules.leastLength != nil || rules.greatestLength != nil
    guard hasLength else { return Self.numbered(textKind.domain, distinct: count) }
    let least = rules.leastLength ?? 0
    let greatest = rules.greatestLength ?? max(least, 60)
    guard least <= greatest else { throw empty }
    if count > 0 {
      let letters = TextPattern.characters(CharacterSets.lowercase + CharacterSets.digits)
      let length = min(greatest, max(least, 12))
      let pattern = TextPattern.repeated(letters, length...length)
      return ValueDomain(size: pattern.size) { .text(pattern.text($0)) }
    }
    let domain = textKind.domain
    return ValueDomain(size: domain.size, isDistinct: false) { number in
      guard case .text(let text) = domain(number) else { return .text("") }
      return .text(Self.fitted(text, lengths: least...greatest))
    }
  }

  private func pattern(_ expression: String) throws(GenerationError) -> TextPattern {
    do {
      return try TextPatternParser.pattern(of: expression)
    } catch {
      throw GenerationError(
        place: place,
        problem:
          "no texts can be made for the regular expression \(expression), because of \"\(error.part)\"",
        remedy: "give values to choose from in the attribute's user info, as generate.values"
      )
    }
  }

  private static func fitted(_ text: String, lengths: ClosedRange<Int>) -> String {
    var text = text
    while text.utf16.count < lengths.lowerBound { text += " " + text }
    while text.utf16.count > lengths.upperBound { text.removeLast() }
    // A space at the end would be lost if a program trims texts.
    while text.last == " " {
      text.removeLast()
      text += "s"
    }
    return text
  }

  /// Texts that differ: those of the domain, followed by a number if the domain has too few.
  private static func numbered(_ domain: ValueDomain, distinct count: UInt64) -> ValueDomain {
    guard count > 0 else { return domain }
    guard domain.isDistinct else {
      return ValueDomain(size: .max) { number in
        guard case .text(let text) = domain(number) else { return .null }
        return .text("\(text) \(number)")
      }
    }
    if domain.size >= count { return domain }
    return ValueDomain(size: count) { number in
      guard case .text(let text) = domain(number % domain.size) else { return .null }
      let turn = number / domain.size
      return .text(turn == 0 ? text : numbered(text, number: turn + 1))
    }
  }

  private static func numbered(_ text: String, number: UInt64) -> String {
    if let at = text.firstIndex(of: "@") { return text[..<at] + "\(number)" + text[at...] }
    return text.contains(" ") || !text.contains("-") ? "\(text) \(number)" : "\(text)-\(number)"
  }

  // MARK: - Other types

  private static let data = ValueDomain.random { random in
    let bytes = (0..<24).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return .text(Data(bytes).base64EncodedString())
  }

  private func composites() throws(GenerationError) -> ValueDomain {
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    var domains: [(String, ValueDomain)] = []
    for element in elements {
      let domain = try AttributeDomain(element, entity: place)
      if let values = try domain.values(distinct: 0) { domains.append((element.name, values)) }
    }
    let parts = domains
    return .random { random in
      .fields(
        parts.map { name, domain in GeneratedValue.Field(key: name, value: domain(random.next(below: domain.size))) }
      )
    }
  }

  private func transformables() throws(GenerationError) -> ValueDomain? {
    // The values of other transformers are unknown.
    let isPlain = ArchivingTransformers.names.contains(attribute.valueTransformerName ?? "")
    if isPlain, let kind = TransformableClass(named: attribute.attributeValueClassName) { return values(of: kind) }
    if attribute.isOptional || attribute.defaultValue != nil { return nil }
    throw GenerationError(
      place: place,
      problem: "nothing is known of the values that the attribute's transformer or class takes",
      remedy: "make the attribute optional, or seed the entity from a file"
    )
  }

  private static func domain(_ domain: ValueDomain, marked key: String) -> ValueDomain {
    ValueDomain(size: domain.size, isDistinct: domain.isDistinct) { number in
      .fields([.init(key: key, value: domain(number))])
    }
  }

  private func values(of kind: TransformableClass) -> ValueDomain {
    switch kind {
    case .any, .string: return TextKind.words.domain
    case .number: return .integers(0...1000)
    case .date:
      let range = DateRange(name: attribute.name).range
      return ValueDomain(size: UInt64(range.count)) { number in
        .fields([.init(key: "$date", value: .text(DateText.of(range.lowerBound + Int64(number))))])
      }
    case .data: return Self.domain(Self.data, marked: TransformableConversion.dataKey)
    case .url: return TextKind.url.domain
    case .uuid: return .identifiers
    case .list(let element), .set(let element):
      let values = values(of: element)
      return .random { random in .list([values(random.next(below: values.size))]) }
    case .dictionary(let element):
      let values = values(of: element)
      return .random { random in
        .fields([.init(key: "value", value: values(random.next(below: values.size)))])
      }
    }
  }
}
