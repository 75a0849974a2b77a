import CoreData
import Foundation
import Seeding
import StoreExploration

/// The words that can complete the word being typed, derived from the model that a command line names.
struct Completer {
  /// The largest number of completions. A longer list does not help a person.
  static let most = 500

  let words: CompletionWords
  let source: CompletionSource

  /// - Returns: nil when no word of the line names a model or a store.
  init?(_ words: CompletionWords) {
    guard let source = CompletionSource(words) else { return nil }
    self.words = words
    self.source = source
  }

  // MARK: - Names

  /// The names of the model's entities.
  var entities: [String] { matching(entityNames) }

  /// The words `Note=` of all entities of which objects can be made.
  var entityCounts: [String] {
    matching(entityNames.filter { source.model.entitiesByName[$0]?.isAbstract == false }.map { "\($0)=" })
  }

  /// The words `Note.tags=` of all to-many relationships.
  var relationshipCounts: [String] {
    qualified { entity in
      entity.relationshipsByName.filter { $0.value.isToMany }.map { "\($0.key)=" }
    }
  }

  /// The words `Note.title` of all properties.
  var properties: [String] { qualified { Array($0.propertiesByName.keys) } }

  private var entityNames: [String] { source.model.entitiesByName.keys.sorted() }

  /// Entity names with a point, and after a typed point the names of that entity's properties.
  private func qualified(_ names: (NSEntityDescription) -> [String]) -> [String] {
    guard let point = words.typed.firstIndex(of: ".") else { return matching(entityNames.map { "\($0)." }) }
    let name = String(words.typed[..<point])
    guard let entity = source.model.entitiesByName[name] else { return [] }
    return matching(names(entity).sorted().map { "\(name).\($0)" })
  }

  // MARK: - Key paths

  /// The key paths of the line's entity, after those already typed: `title,category.na`, `max:(createdA`.
  var keyPaths: [String] {
    guard let entity else { return [] }
    let typed = words.typed
    let start = typed.lastIndex { !Self.isOfKeyPath($0) }.map { typed.index(after: $0) } ?? typed.startIndex
    let (head, path) = (typed[..<start], typed[start...])
    let walked = path.lastIndex(of: ".").map { path[...$0] } ?? ""
    let keys = walked.split(separator: ".").map(String.init)
    return matching(Self.keys(after: keys, of: entity).map { "\(head)\(walked)\($0)" })
  }

  private static func isOfKeyPath(_ character: Character) -> Bool {
    character == "." || character == "_" || character.isLetter || character.isNumber
  }

  /// The keys that can follow typed keys. Relationships and composite attributes are also given with a point.
  private static func keys(after walked: [String], of entity: NSEntityDescription) -> [String] {
    var entity = entity
    for (index, key) in walked.enumerated() {
      if let destination = entity.relationshipsByName[key]?.destinationEntity {
        entity = destination
      } else if let attribute = entity.attributesByName[key] {
        return elements(of: attribute, after: walked.dropFirst(index + 1))
      } else {
        return []
      }
    }
    return entity.propertiesByName.sorted { $0.key < $1.key }.flatMap { name, property in
      let leadsOn = property is NSRelationshipDescription || property is NSCompositeAttributeDescription
      return leadsOn ? [name, "\(name)."] : [name]
    }
  }

  private static func elements(of attribute: NSAttributeDescription, after walked: ArraySlice<String>) -> [String] {
    guard let composite = attribute as? NSCompositeAttributeDescription else { return [] }
    guard let key = walked.first else { return composite.elements.map(\.name).sorted() }
    guard let element = composite.elements.first(where: { $0.name == key }) else { return [] }
    return elements(of: element, after: walked.dropFirst())
  }

  /// The entity that the line is about: the last `--entity` before the word, or else the first free word that
  /// names an entity.
  private var entity: NSEntityDescription? {
    let names = EntityNames(entityNames)
    func named(_ word: String) -> NSEntityDescription? {
      guard case .one(let name) = names.match(word) else { return nil }
      return source.model.entitiesByName[name]
    }
    if let word = words.values(of: "--entity", isBefore: true).last { return named(word) }
    // The first free word is the subcommand.
    return words.free.dropFirst().lazy.compactMap(named).first
  }

  // MARK: - Predicates

  /// The predicates to which the typed text can be completed.
  ///
  /// - Parameter timeForValues: the time limit for reading the values of an attribute from the line's store.
  func predicates(timeForValues: Duration) -> [String] {
    guard let name = entity?.name else { return [] }
    guard let path = source.store else {
      return completions(
        name,
        coordinator: NSPersistentStoreCoordinator(managedObjectModel: source.model),
        time: timeForValues
      )
    }
    let given = words.values(of: "--model").last
    let location = StoreLocation(path: path)
    let found = try? OpenedStore.reading(location, model: given, options: CompletionSource.options) {
      completions(name, coordinator: $0.coordinator, time: timeForValues)
    }
    return found ?? []
  }

  private func completions(_ entity: String, coordinator: NSPersistentStoreCoordinator, time: Duration) -> [String] {
    guard
      let assistant = try? PredicateAssistant(entity: entity, in: coordinator, timeForValues: time)
    else { return [] }
    let typed = words.typed
    let found = BoundedWork.value(of: { await assistant.completions(of: typed, at: typed.utf16.count) })
    return matching(
      found.compactMap { completion in
        let units = typed.utf16
        guard completion.range.lowerBound <= units.count,
          let start = String.Index(units.index(units.startIndex, offsetBy: completion.range.lowerBound), within: typed)
        else { return nil }
        return typed[..<start] + completion.text
      }
    )
  }

  private func matching(_ candidates: [String]) -> [String] {
    Array(candidates.lazy.filter { $0.hasPrefix(words.typed) }.prefix(Self.most))
  }
}
