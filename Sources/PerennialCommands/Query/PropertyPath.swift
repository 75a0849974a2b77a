import CoreData
import Seeding

/// A key path whose every key the model has. It may end in one of the given collection operators.
struct PropertyPath {
  let text: String
  /// The property at the end; `nil` behind a collection operator.
  let end: NSPropertyDescription?

  init(_ text: String, of entity: NSEntityDescription, operators: Set<String>) throws {
    self.text = text
    var entity: NSEntityDescription? = entity
    var walked: [String] = []
    var last: NSPropertyDescription?
    for key in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      guard let here = entity else {
        throw CommandFailure(
          "\"\(text)\": \(walked.joined(separator: ".")) is an attribute, and nothing can follow it; remove \".\(key)\""
        )
      }
      if operators.contains(key), !walked.isEmpty {
        end = nil
        return
      }
      last = here.propertiesByName[key]
      guard last != nil else {
        let names = here.propertiesByName.keys.sorted()
        let remedy = Suggestion.remedy("key", key, among: names, of: "its properties are")
        throw CommandFailure(
          "\"\(text)\": \(here.name ?? "the entity") has no property \"\(key)\"; \(remedy)"
        )
      }
      entity = here.relationshipsByName[key]?.destinationEntity
      walked.append(key)
    }
    end = last
  }
}
