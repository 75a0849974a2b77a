package import CoreData
import Foundation

/// Generated texts that replace the texts of a store: each text gets another one, the same wherever it occurs.
///
/// Texts of one kind, such as e-mail addresses, share a table, so that an address has one substitute in all attributes.
/// Substitutes are assigned in sequence, so that a substitute reveals nothing about the original text.
package struct MaskedTexts {
  private struct Table {
    let domain: ValueDomain
    let order: Permutation
    /// The number of the next unused value.
    var next: UInt64 = 0
    var texts: [String: String] = [:]
  }

  /// The words for the kinds of texts.
  package static var kinds: [String] { TextKind.allCases.map(\.rawValue) }

  private static let mostTries = 1000

  private let count: UInt64
  private var tables: [String: Table] = [:]
  /// The names of the tables, by attribute and kind.
  private var names: [String: String] = [:]

  /// - Parameter count: The most texts that there are.
  package init(atMost count: Int) { self.count = UInt64(max(count, 1)) }

  /// The substitute of an attribute's text. An empty text stays empty.
  /// - Parameters:
  ///   - entity: The name of the entity, or the path of the composite attribute that contains the attribute.
  ///   - kind: One of `kinds`; nil for the kind that follows from the attribute's user info or name.
  /// - Throws: A `GenerationError` if the attribute's rules do not allow any text.
  package mutating func text(
    for text: String,
    of attribute: NSAttributeDescription,
    in entity: String,
    as kind: String?
  ) throws(GenerationError) -> String {
    if text.isEmpty { return text }
    let name = try table(of: attribute, entity: entity, kind: kind)
    if let known = tables[name]?.texts[text] { return known }
    let made = try next(of: name, unlike: text, attribute: attribute, entity: entity)
    tables[name]?.texts[text] = made
    return made
  }

  private mutating func table(of attribute: NSAttributeDescription, entity: String, kind: String?)
    throws(GenerationError) -> String
  {
    let place = "\(entity).\(attribute.name) \(kind ?? "")"
    if let known = names[place] { return known }
    let kind = kind.flatMap { TextKind(rawValue: $0) }
    let domain = try AttributeDomain(attribute, entity: entity, kind: kind)
    let hasRules = !attribute.validationPredicates.isEmpty || domain.rules.choices != nil
    let name = hasRules ? place : domain.textKind.rawValue
    if tables[name] == nil {
      guard let values = try domain.values(distinct: count), values.size > 0 else {
        throw noText(attribute, entity: entity)
      }
      tables[name] = Table(domain: values, order: Permutation(values.size, seed: RandomNumbers.hash(name)))
    }
    names[place] = name
    return name
  }

  private mutating func next(
    of name: String,
    unlike text: String,
    attribute: NSAttributeDescription,
    entity: String
  ) throws(GenerationError) -> String {
    let rules = attribute.validationPredicates
    for _ in 0..<Self.mostTries {
      guard let table = tables[name], table.next < table.domain.size else { break }
      let value = table.domain(table.order(table.next))
      tables[name]?.next += 1
      guard case .text(let made) = value, made != text else { continue }
      if rules.allSatisfy({ $0.evaluate(with: made) }) { return made }
    }
    throw noText(attribute, entity: entity)
  }

  private func noText(_ attribute: NSAttributeDescription, entity: String) -> GenerationError {
    GenerationError(
      place: "\(entity).\(attribute.name)",
      problem: "the attribute's rules leave no text to put in place of another",
      remedy: "leave the attribute out of the mask, or loosen its rules"
    )
  }
}
