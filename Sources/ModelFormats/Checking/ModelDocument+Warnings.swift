extension ModelDocument {
  /// Warnings for the program that uses the model, which do not prevent its use: default values
  /// that are left out, and entities that a SQLite store cannot hold together.
  ///
  /// - Parameter file: the name by which the warnings call the file.
  package func warnings(file: String? = nil) -> [ModelFileError] {
    let owners =
      entities.map { ("entity \($0.name)", $0.attributes) }
      + composites.map { ("composite \($0.name)", $0.attributes) }
    return owners.flatMap { place, attributes in
      attributes.compactMap { warning(ofDefaultOf: $0, in: place, file: file) }
    } + warningsOfTables(file: file)
  }

  private func warning(ofDefaultOf attribute: Attribute, in place: String, file: String?) -> ModelFileError? {
    guard let text = attribute.mistypedDefault, let type = attribute.type else { return nil }
    return ModelFileError(
      .corrupt,
      file: file,
      line: attribute.line.number,
      element: "\(place), attribute \(attribute.name)",
      attribute: "defaultValueString",
      problem:
        "\"\(text)\" is not a value of the type \(type.rawValue), so the attribute has no default value; correct the text or remove it"
    )
  }

  /// Entities without a superentity have a table each, whose name is the entity's in upper case.
  private func warningsOfTables(file: String?) -> [ModelFileError] {
    var known: [String: String] = [:]
    return entities.compactMap { entity in
      guard entity.parentEntity == nil,
        let other = known.updateValue(entity.name, forKey: entity.name.uppercased())
      else { return nil }
      return ModelFileError(
        .corrupt,
        file: file,
        line: entity.line.number,
        element: "entity \(entity.name)",
        attribute: "name",
        problem:
          "the name differs from that of the entity \(other) in case alone, and a SQLite store cannot hold both; rename one of them"
      )
    }
  }
}
