import CoreData

/// The attributes of an object that are about one person: the names, and what follows from them.
struct PersonAttributes {
  private struct Attribute {
    let description: NSAttributeDescription
    let kind: TextKind
    let isUnique: Bool

    var name: String { description.name }
  }

  private static let kinds: Set<TextKind> = [.firstName, .lastName, .fullName, .email, .userName]

  private let names: PersonNames
  private let order: Permutation
  private var attributes: [Attribute] = []

  init(
    attributes: [NSAttributeDescription],
    of entity: NSEntityDescription,
    unique: Set<String>,
    settings: FactorySettings
  ) throws(GenerationError) {
    names = settings.language?.names ?? .ofManyLanguages
    let seed = RandomNumbers.mixed(settings.seed ^ RandomNumbers.hash("\(entity.root.name ?? "").person"))
    order = Permutation(names.size, seed: seed)
    for attribute in attributes where attribute.attributeType == .stringAttributeType {
      let domain = try AttributeDomain(attribute, entity: entity.name ?? "")
      guard domain.rules.choices == nil, domain.rules.expression == nil else { continue }
      let kind = domain.rules.kind ?? TextKind(name: attribute.name, entity: domain.entity)
      let isUnique = unique.contains(attribute.name)
      // Too many persons have the same first or last name for it to be unique.
      guard Self.kinds.contains(kind), !isUnique || ![.firstName, .lastName].contains(kind) else { continue }
      self.attributes.append(Attribute(description: attribute, kind: kind, isUnique: isUnique))
    }
  }

  /// Makes the generated values those of one person, whose name is the given one.
  /// - Parameters:
  ///   - number: That of the object, from 0.
  ///   - claim: Takes a text of an attribute for the object, and returns false when another one in the context has it.
  func write(
    to object: NSManagedObject,
    number: UInt64,
    isMade: (String) -> Bool,
    claim: (_ attribute: String, _ text: String) -> Bool
  ) {
    guard !attributes.isEmpty else { return }
    var person = names.person(order(number % names.size))
    for attribute in attributes where !isMade(attribute.name) {
      guard let text = object.value(forKey: attribute.name) as? String, !text.isEmpty else { continue }
      if attribute.isUnique { _ = claim(attribute.name, text) }
      switch attribute.kind {
      case .firstName: person.first = PersonNames.Word(text)
      case .lastName: person.last = PersonNames.Word(text)
      case .fullName: person = PersonNames.Person(text)
      default: break
      }
    }
    for attribute in attributes where isMade(attribute.name) {
      var text = Self.text(of: attribute.kind, person: person, number: number)
      if attribute.isUnique, !claim(attribute.name, text) {
        text = Self.text(of: attribute.kind, person: person, number: number, isCounted: true)
        _ = claim(attribute.name, text)
      }
      if attribute.description.allows(text) { object.setValue(text, forKey: attribute.name) }
    }
  }

  /// - Parameter isCounted: True when the text is to have the number of the object, from 1, in it.
  private static func text(
    of kind: TextKind,
    person: PersonNames.Person,
    number: UInt64,
    isCounted: Bool = false
  ) -> String {
    switch kind {
    case .firstName: return person.first.text
    case .lastName: return person.last.text
    case .fullName: return isCounted ? "\(person.fullName) \(number + 1)" : person.fullName
    default: break
    }
    // Letters without a Latin equivalent are dropped.
    let parts = [person.first.latin, person.last.latin].filter { !$0.isEmpty }
    let name = parts.joined(separator: ".") + (isCounted ? "\(number + 1)" : "")
    let word = parts.isEmpty ? "person\(number + 1)" : name
    return kind == .email ? "\(word)@example.com" : word
  }
}
