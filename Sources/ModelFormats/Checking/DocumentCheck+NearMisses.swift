import Texts

extension DocumentCheck {
  /// The problem with the name of an entity that the model lacks, with the name that was probably meant.
  func noEntity(_ name: String) -> String {
    let remedy = Suggestion.nearest(to: name, among: entities.keys.sorted()).map { "; correct it to \"\($0)\"" }
    return "there is no entity \(name) in the model\(remedy ?? "")"
  }

  /// The problem with the name of an inverse that the destination lacks.
  func noInverse(_ name: String, in destination: ModelDocument.Entity, of entity: ModelDocument.Entity)
    -> String
  {
    let names = destination.relationships.map(\.name).sorted()
    let remedy =
      Suggestion.nearest(to: name, among: names).map { "correct it to \"\($0)\"" }
      ?? "name the relationship there that leads back to \(entity.name), or add it"
    return "entity \(destination.name) has no relationship \(name); \(remedy)"
  }
}
