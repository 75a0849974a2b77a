import CoreData
import Seeding
import Texts

/// A key path whose keys all exist in the model. It may end in one of the given collection operators.
struct PropertyPath {
  let text: String
  /// The property at the end; `nil` if the path ends in a collection operator.
  let end: NSPropertyDescription?
  /// The key path of the stored relationships at the beginning, which a fetch can prefetch; `nil` if there are none.
  let relationships: String?

  init(_ text: String, of entity: NSEntityDescription, operators: Set<String>) throws {
    self.text = text
    var entity: NSEntityDescription? = entity
    var walked: [String] = []
    var stored: [String] = []
    var last: NSPropertyDescription?
    for key in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      guard let here = entity else {
        throw CommandFailure(
          "\"\(text)\": \(walked.joined(separator: ".")) is an attribute, and nothing can follow it; remove \".\(key)\""
        )
      }
      if operators.contains(key), !walked.isEmpty {
        end = nil
        relationships = Self.keyPath(stored)
        return
      }
      last = here.propertiesByName[key]
      guard last != nil else {
        let names = here.propertiesByName.keys.sorted()
        let remedy = Suggestion.remedy("key", word: key, among: names, of: "its properties are")
        throw CommandFailure("\"\(text)\": \(here.name ?? "the entity") has no property \"\(key)\"; \(remedy)")
      }
      let relationship = here.relationshipsByName[key]
      if let relationship, !relationship.isTransient, stored.count == walked.count { stored.append(key) }
      entity = relationship?.destinationEntity
      walked.append(key)
    }
    end = last
    relationships = Self.keyPath(stored)
  }

  private static func keyPath(_ keys: [String]) -> String? { keys.isEmpty ? nil : keys.joined(separator: ".") }
}
