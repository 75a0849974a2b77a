import CoreData
import Foundation

/// The UTF-8 spellings that a store has for texts that are parts of natural keys. Unicode treats `é` and `e` followed
/// by a combining accent as equal, and so do keys, but databases compare bytes.
struct StoredSpellings {
  private let attributes: [NSAttributeDescription]
  /// The texts that are looked for, by attribute.
  private var wanted: [Set<String>]
  /// The spellings that the store has for them, as bytes, because a set of strings does not
  /// distinguish different bytes.
  private var found: [Set<[UInt8]>]

  init(key: NaturalKey, keys: some Sequence<KeyValues>) {
    var attributes: [NSAttributeDescription] = []
    var wanted: [Set<String>] = []
    let keys = Array(keys)
    for (index, part) in key.parts.enumerated() {
      guard case .attribute(let attribute) = part, attribute.attributeType == .stringAttributeType else { continue }
      attributes.append(attribute)
      wanted.append(
        Set(
          keys.compactMap { key in
            if case .value(.string(let text)) = key.parts[index] { text } else { nil }
          }
        )
      )
    }
    self.attributes = attributes
    self.wanted = wanted
    found = attributes.map { _ in [] }
  }

  /// Reads the key's texts of all stored objects, and collects the spellings of the wanted ones. Called on the queue
  /// of the context.
  mutating func find(in context: NSManagedObjectContext, shape: EntityShape) throws {
    guard !attributes.isEmpty else { return }
    let names = attributes.map(\.name)
    #if canImport(Darwin)
      let request = NSFetchRequest<NSDictionary>(entityName: shape.name)
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = names
      for row in try context.fetch(request) { note(names.map { row[$0] }) }
    #else
      let request = NSFetchRequest<NSManagedObject>(entityName: shape.name)
      try context.forEachSavedValues(of: request, attributes: names) { collect($0.values) }
    #endif
  }

  private mutating func collect(_ values: [Any?]) {
    for (index, value) in values.enumerated() {
      guard let text = value as? String, wanted[index].contains(text) else { continue }
      found[index].insert(Array(text.utf8))
    }
  }

  /// Finds the objects with these spellings; nil without any spelling.
  var predicate: NSPredicate? {
    guard found.contains(where: { !$0.isEmpty }) else { return nil }
    let predicates = zip(attributes, found).map { attribute, spellings in
      let texts = spellings.map { String(decoding: $0, as: UTF8.self) }
      return NSPredicate(format: "%K IN %@", attribute.name, texts as NSArray)
    }
    return NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
  }
}

extension KeyValues {
  /// True if a text in it may have other spellings.
  var hasSpellings: Bool {
    parts.contains { part in
      if case .value(.string(let text)) = part { !text.utf8.allSatisfy { $0 < 0x80 } } else { false }
    }
  }
}
