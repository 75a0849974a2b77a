package import ModelFormats

/// One of the two files that Xcode's "Create NSManagedObject Subclass" writes for an entity.
package struct SubclassFile: Hashable, Sendable {
  /// The name of the file.
  package var name: String
  package var text: String
  /// True when authors edit the file, so that it must not be replaced without consent.
  package var isForAuthors: Bool

  /// The reason that no files can be generated for a model.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// The files for the entities of a model.
  ///
  /// - Parameters:
  ///   - document: a valid model.
  ///   - entityNames: the entities; if empty, all that have their own class.
  ///   - module: the module whose classes are written; `nil` for those of every module.
  /// - Throws: ``Failure`` when the model does not have a named entity, a named entity does not have its own
  ///   class in the module, two entities have one class, or a name is not a Swift identifier.
  package static func files(
    of document: ModelDocument,
    entities entityNames: [String] = [],
    module: String? = nil
  ) throws(Failure) -> [SubclassFile] {
    var owners: [String: String] = [:]
    var files: [SubclassFile] = []
    for entity in try chosen(entityNames, document: document) {
      let written = entity.representedClassName?.split(separator: ".").dropLast().last.map(String.init)
      guard let type = EntityClass(entity, in: document, module: module ?? written ?? "") else {
        if entityNames.isEmpty { continue }
        throw Failure(description: "\(missingClass(of: entity, module: module)); set its class in the model")
      }
      try check(type)
      if let other = owners.updateValue(entity.name, forKey: type.name) {
        throw Failure(
          description: """
            the entities \(other) and \(entity.name) have the same class \(type.name); choose one of them with \
            --entity
            """
        )
      }
      let writer = SubclassFileWriter(entity: type)
      files += [writer.classFile(), writer.propertiesFile()]
    }
    return files
  }

  private static func chosen(_ names: [String], document: ModelDocument) throws(Failure) -> [ModelDocument.Entity] {
    if names.isEmpty { return document.entities }
    var chosen: [ModelDocument.Entity] = []
    for name in names {
      guard let entity = document.entity(named: name) else {
        let all = document.entities.map(\.name).joined(separator: ", ")
        throw Failure(description: "there is no entity \(name); the model's entities are \(all)")
      }
      if !chosen.contains(where: { $0.name == name }) { chosen.append(entity) }
    }
    return chosen
  }

  private static func missingClass(of entity: ModelDocument.Entity, module: String?) -> String {
    let place = module.map { " in the module \($0)" } ?? " of its own"
    return "the entity \(entity.name) has no class\(place)"
  }

  /// Checks the names, because they become part of the code, and the class name also part of file names.
  private static func check(_ type: EntityClass) throws(Failure) {
    let names =
      [("class", type.name), ("class", type.superclassName)] + type.properties.map { ("property", $0.name) }
      + type.toMany.map { ("class", $0.destination) }
    for (kind, name) in names where !isIdentifier(name) {
      throw Failure(
        description: """
          entity \(type.entityName): the \(kind) name "\(name)" is not a name in Swift; use letters, digits and \
          underscores
          """
      )
    }
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return name.unicodeScalars.dropFirst().allSatisfy(\.properties.isXIDContinue)
  }
}
