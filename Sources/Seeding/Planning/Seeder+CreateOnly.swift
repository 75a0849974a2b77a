import CoreData
import Texts

extension Seeder {
  /// Checks that the model has the names of ``createOnly``.
  ///
  /// - Throws: A `SeedError` for a name that it does not have.
  func checkCreateOnly(_ model: NSManagedObjectModel) throws {
    for (name, properties) in createOnly.sorted(by: { $0.key < $1.key }) {
      guard let entity = model.entitiesByName[name] else {
        throw SeedError(
          code: .unknownEntity,
          problem:
            "the model has no entity \"\(name.abbreviated)\", of which properties are to be given to new objects alone",
          remedy: Suggestion.remedy(
            "name",
            word: name,
            among: model.entitiesByName.keys.sorted(),
            of: "the model's entities are"
          )
        )
      }
      let known = entity.propertiesByName
      guard let property = properties.sorted().first(where: { known[$0] == nil }) else { continue }
      throw SeedError(
        code: .unknownKey,
        problem:
          "\(name) has no property \"\(property.abbreviated)\" that could be given to new objects alone",
        remedy: Suggestion.remedy(
          "name",
          word: property,
          among: known.keys.sorted(),
          of: "the properties of \(name) are"
        )
      )
    }
  }
}
