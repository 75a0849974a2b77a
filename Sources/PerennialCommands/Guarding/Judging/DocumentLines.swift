import ModelFormats

/// Finds the lines of a model's XML that changes concern.
struct DocumentLines {
  private let document: ModelDocument

  init(of document: ModelDocument) { self.document = document }

  /// The line of a change's subject, or of the enclosing element if the subject is not in this document.
  func line(of change: ModelDifference.Change) -> Int? {
    guard let name = change.entity else { return line(ofPart: change.subject) ?? document.line.number }
    guard let entity = document.entity(named: name) else { return document.line.number }
    let property = change.place?.property ?? Self.property(of: change.subject)
    return property.flatMap { line(of: $0, in: entity) } ?? entity.line.number
  }

  /// The line of a property that an entity declares, or else the line of the entity.
  func line(entity name: String, property: String? = nil) -> Int? {
    guard let entity = document.entity(named: name) else { return document.line.number }
    return property.flatMap { line(of: $0, in: entity) } ?? entity.line.number
  }

  private func line(of property: String, in entity: ModelDocument.Entity) -> Int? {
    entity.attributes.first { $0.name == property }?.line.number
      ?? entity.relationships.first { $0.name == property }?.line.number
      ?? entity.fetchedProperties.first { $0.name == property }?.line.number
      ?? entity.fetchIndexes.first { $0.name == property }?.line.number
  }

  /// The property that a subject names: `title` in `entity Note, attribute title`. An element of a composite attribute,
  /// `place.street`, gives the attribute `place`.
  private static func property(of subject: String) -> String? {
    for kind in [", attribute ", ", relationship ", ", fetched property ", ", index "] {
      if let range = subject.firstRange(of: kind) {
        return subject[range.upperBound...].split(separator: ".").first.map(String.init)
      }
    }
    return nil
  }

  private func line(ofPart subject: String) -> Int? {
    func name(_ kind: String) -> String? { subject.hasPrefix(kind) ? String(subject.dropFirst(kind.count)) : nil }
    if let name = name("fetch request ") {
      return document.fetchRequests.first { $0.name == name }?.line.number
    }
    if let name = name("configuration ") {
      return document.configurations.first { $0.name == name }?.line.number
    }
    if let name = name("composite ") { return document.composites.first { $0.name == name }?.line.number }
    return nil
  }
}
