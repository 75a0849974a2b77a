import CoreData
import DataGeneration
import Foundation
import Seeding

/// The texts of a dump that are replaced by generated ones.
///
/// The command line decides whether an attribute is masked, or its user info under `dump.mask`: `yes`, `no`, or
/// the kind of text, such as `email`. An entity's rule also applies to its subentities.
struct DumpMask {
  private enum Rule {
    case keep
    case mask(kind: String?)
  }

  /// A text attribute, or a text in a composite one.
  private struct Text {
    /// The name of the attribute, followed by those of the nested elements.
    let names: [String]
    let attribute: NSAttributeDescription
    /// The entity that has the text, or the composite attribute as `Entity.name`.
    let owner: String
    /// The user info's rule, which may be inherited from the composite attribute.
    let hint: String?

    var path: String { names.joined(separator: ".") }
  }

  private static let hintKey = "dump.mask"
  /// The value on the command line that applies only the model's rules.
  private static let modelWord = "model"

  private let isStrict: Bool
  /// The texts of each entity, with the rule for each text.
  private var texts: [String: [(text: Text, rule: Rule?)]] = [:]

  /// - Parameters:
  ///   - masked: Lists of attributes, such as `Customer.email,Customer.name=fullName`, or `model`.
  ///   - kept: Lists of attributes that stay as they are.
  ///   - isStrict: True when every text needs a rule.
  init(_ model: NSManagedObjectModel, masked: [String], kept: [String], isStrict: Bool) throws {
    self.isStrict = isStrict
    var given: [String: Rule] = [:]
    for (option, lists) in [("--mask", masked), ("--no-mask", kept)] {
      for word in lists.flatMap({ $0.split(separator: ",").map(String.init) }) where word != Self.modelWord {
        let (places, rule) = try Self.rule(word, option: option, model: model)
        for place in places {
          guard given.updateValue(option == "--mask" ? rule : .keep, forKey: place) == nil else {
            throw CommandFailure("\(option) \(word): \(place) is given twice; give it once")
          }
        }
      }
    }
    for entity in model.entities {
      texts[entity.name ?? ""] = try Self.texts(of: entity).map { text in
        let named = sequence(first: entity, next: \.superentity)
          .compactMap { given["\($0.name ?? "").\(text.path)"] }.first
        return (text: text, rule: try named ?? Self.hinted(text))
      }
    }
  }

  // MARK: - Rules

  private static func rule(_ word: String, option: String, model: NSManagedObjectModel) throws
    -> (places: [String], Rule)
  {
    let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
    let names = (sides.first ?? "").split(separator: ".").map(String.init)
    guard names.count > 1 else {
      throw CommandFailure("\(option) \(word): give an entity and an attribute, such as Customer.email")
    }
    let entity = try EntityLookup.entity(names[0], in: model)
    let path = names.dropFirst().joined(separator: ".")
    let all = texts(of: entity)
    let meant = all.filter { $0.path == path || $0.path.hasPrefix("\(path).") }
    guard !meant.isEmpty else {
      let paths = all.isEmpty ? "none" : all.map(\.path).joined(separator: ", ")
      throw CommandFailure(
        "\(option) \(word): \(entity.name ?? "") has no text attribute \(path); its text attributes are \(paths)"
      )
    }
    let kind = sides.count > 1 ? sides[1] : nil
    if let kind { try check(kind, at: "\(option) \(word)") }
    return (meant.map { "\(entity.name ?? "").\($0.path)" }, .mask(kind: kind))
  }

  private static func hinted(_ text: Text) throws -> Rule? {
    guard let hint = text.hint else { return nil }
    switch hint.lowercased() {
    case "yes", "true", "1": return .mask(kind: nil)
    case "no", "false", "0": return .keep
    default:
      try check(hint, at: "\(text.owner).\(text.attribute.name), \(hintKey) in its user info")
      return .mask(kind: hint)
    }
  }

  private static func check(_ kind: String, at place: String) throws {
    guard MaskedTexts.kinds.contains(kind) else {
      throw CommandFailure(
        "\(place): \(kind) is not a kind of text; give one of \(MaskedTexts.kinds.joined(separator: ", "))"
      )
    }
  }

  private static func texts(of entity: NSEntityDescription) -> [Text] {
    entity.attributesByName.sorted { $0.key < $1.key }.flatMap { name, attribute in
      // Generated texts differ across all entities that inherit an attribute, because it may be unique among them.
      let declaring = sequence(first: entity, next: \.superentity)
        .reduce(entity) { $1.attributesByName[name] == nil ? $0 : $1 }
      return texts(of: attribute, in: declaring.name ?? "", names: [name], hint: nil)
    }
  }

  private static func texts(
    of attribute: NSAttributeDescription,
    in owner: String,
    names: [String],
    hint: String?
  ) -> [Text] {
    if attribute.isTransient || attribute is NSDerivedAttributeDescription { return [] }
    let hint = attribute.userInfo?[hintKey] as? String ?? hint
    if let composite = attribute as? NSCompositeAttributeDescription {
      return composite.elements.flatMap { element in
        texts(of: element, in: "\(owner).\(attribute.name)", names: names + [element.name], hint: hint)
      }
    }
    guard attribute.attributeType == .stringAttributeType else { return [] }
    return [Text(names: names, attribute: attribute, owner: owner, hint: hint)]
  }

  // MARK: - Masking

  /// Replaces the objects' texts by generated ones in their context, which is not saved.
  /// - Parameter all: All objects of the store, by the names of their entities. Objects that are not dumped are
  ///   included, because records may refer to them by their keys.
  func apply(to all: [String: [NSManagedObject]]) throws {
    let masked = texts.mapValues { texts in
      texts.compactMap { text, rule -> (text: Text, kind: String?)? in
        guard case .mask(let kind)? = rule else { return nil }
        return (text: text, kind: kind)
      }
    }
    let count = all.reduce(0) { $0 + $1.value.count * (masked[$1.key]?.count ?? 0) }
    var made = MaskedTexts(atMost: count)
    for (name, objects) in all.sorted(by: { $0.key < $1.key }) {
      guard let masked = masked[name], !masked.isEmpty else { continue }
      for object in objects.sorted(by: { $0.rowAddress < $1.rowAddress }) {
        for (text, kind) in masked {
          guard let value = object.value(forKey: text.names[0]) else { continue }
          let new = try Self.masking(value, path: text.names.dropFirst()) { old in
            try made.text(for: old, of: text.attribute, in: text.owner, as: kind)
          }
          object.setValue(new, forKey: text.names[0])
        }
      }
    }
  }

  private static func masking(
    _ value: Any,
    path: ArraySlice<String>,
    _ change: (String) throws -> String
  ) throws -> Any {
    guard let name = path.first else {
      guard let text = value as? String else { return value }
      return try change(text)
    }
    guard var values = value as? [String: Any], let inner = values[name] else { return value }
    values[name] = try masking(inner, path: path.dropFirst(), change)
    return values
  }

  /// Checks that every text of a dump has a rule.
  ///
  /// - Throws: A `CommandFailure` that names the texts without a rule, where the mask is strict.
  func check(_ seed: DumpedSeed) throws {
    guard isStrict else { return }
    let undecided = seed.entities.flatMap { name, _ in
      (texts[name] ?? []).compactMap { text, rule in rule == nil ? "\(name).\(text.path)" : nil }
    }
    guard undecided.isEmpty else {
      throw CommandFailure(
        "--mask-strict: nothing is said about \(undecided.joined(separator: ", ")); give them to --mask or --no-mask, "
          + "or say yes, no or a kind of text in their user info, under \(Self.hintKey)"
      )
    }
  }
}
