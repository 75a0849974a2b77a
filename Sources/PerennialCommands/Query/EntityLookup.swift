import CoreData
import Seeding
import Texts

/// Finds the entity that the user named.
enum EntityLookup {
  static func entity(_ word: String, in model: NSManagedObjectModel) throws -> NSEntityDescription {
    let entities = model.entitiesByName
    let names = EntityNames(entities.keys)
    switch names.match(word) {
    case .one(let name):
      if let entity = entities[name] { return entity }
      throw CommandFailure("the model has no entity \(name)")
    case .several(let names):
      throw CommandFailure("\"\(word)\" could mean \(names.joined(separator: " or ")); write the exact name")
    case .none:
      let remedy = Suggestion.remedy("name", word: word, among: names.all, of: "the model's entities are")
      throw CommandFailure("the model has no entity that \"\(word)\" could mean; \(remedy)")
    }
  }
}
