import CoreData
import Foundation
import ModelFormats

/// The rules for generating the values of one attribute of an entity.
struct AttributePlan {
  let name: String
  private let place: String
  private let domain: ValueDomain
  private let absence: Double
  private let seed: UInt64
  /// Nil where values may be the same.
  private let order: Permutation?
  private let rules: [NSPredicate]

  private static let mostTries: UInt64 = 1000

  /// Nil for an attribute without values.
  /// - Parameter isAlwaysGiven: True if an optional value is missing only if a hint says so.
  init?(
    _ attribute: NSAttributeDescription,
    of entity: NSEntityDescription,
    distinct count: UInt64,
    isUnique: Bool,
    seed: UInt64,
    isAlwaysGiven: Bool = false
  ) throws(GenerationError) {
    let domain = try AttributeDomain(attribute, entity: entity.name ?? "")
    guard let values = try domain.values(distinct: isUnique ? count : 0), values.size > 0 else { return nil }
    let name = attribute.name
    self.name = name
    self.domain = values
    place = domain.place
    let isGiven = isUnique || isAlwaysGiven && attribute.userInfo?["generate.absent"] == nil
    absence = attribute.isOptional && !isGiven ? domain.rules.absence : 0
    // Values of an inherited unique attribute have to differ in the whole family.
    let family = isUnique ? entity.root.name : entity.name
    self.seed = RandomNumbers.mixed(seed ^ RandomNumbers.hash("\(family ?? "").\(name)"))
    order = isUnique ? Self.order(attribute, values: values, count: count, seed: self.seed) : nil
    // Dates are spelled as texts here, and generated within their bounds.
    rules = attribute.attributeType == .dateAttributeType ? [] : attribute.validationPredicates
  }

  /// The order in which values are given out: integers go up with the objects, as they may count
  /// them; other values are in no order.
  private static func order(
    _ attribute: NSAttributeDescription,
    values: ValueDomain,
    count: UInt64,
    seed: UInt64
  ) -> Permutation {
    let isCounted = AttributeKind(attribute.attributeType).storage == .integer
    return Permutation(isCounted ? count : values.size, seed: isCounted ? nil : seed)
  }

  /// The value of an object by its number in the entity's family; nil when it has none.
  func value(_ number: UInt64) throws(GenerationError) -> GeneratedValue? {
    if let order {
      let value = domain(order(number))
      guard fulfils(value) else { throw unfulfilled }
      return value
    }
    var random = RandomNumbers(seed: seed, number: number)
    if random.unit() < absence { return nil }
    for _ in 0..<Self.mostTries {
      let value = domain(random.next(below: domain.size))
      if fulfils(value) { return value }
    }
    throw unfulfilled
  }

  /// Makes the values of the first objects, so that rules which no value fulfils are found before anything is written.
  func check(of first: UInt64, count: UInt64) throws(GenerationError) {
    for index in 0..<min(count, 50) { _ = try value(first + index) }
  }

  private var unfulfilled: GenerationError {
    GenerationError(
      place: place,
      problem: "no values are found that fulfil all validation rules",
      remedy: "give values to choose from in the attribute's user info, as generate.values"
    )
  }

  private func fulfils(_ value: GeneratedValue) -> Bool {
    guard !rules.isEmpty, let object = value.object else { return true }
    return rules.allSatisfy { $0.evaluate(with: object) }
  }
}

extension GeneratedValue {
  /// The value as validation rules are asked about it; `nil` for kinds of values that none is about.
  fileprivate var object: Any? {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .text(let text): text
    default: nil
    }
  }
}
