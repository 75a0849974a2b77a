package import Foundation

extension MappingDocument {
  /// Reads what Xcode edits of a mapping model: the file `xcmapping.xml` in an `.xcmappingmodel`, which is a store in
  /// XML.
  ///
  /// Expressions that Xcode generates when it compiles the file are generated here, for which both models are needed.
  /// Version hashes are not in the file.
  ///
  /// - Parameters:
  ///   - source: the model of the source.
  ///   - destination: the model of the destination.
  ///   - file: how errors name the file.
  /// - Throws: `ModelFileError` with the object that is wrong.
  package init(
    source data: Data,
    from source: ModelDocument,
    to destination: ModelDocument,
    file: String? = nil
  ) throws(ModelFileError) {
    let root = try ContentsParser.parse(data, file: file)
    let reader = MappingSourceReader(root, source: source, destination: destination, file: file)
    self = try reader.document()
  }
}

/// Reads the objects of an `xcmapping.xml`.
struct MappingSourceReader {
  /// An object of the store: its attributes and the identifiers of its destinations, by name.
  private struct Object {
    let type: String
    let id: String
    let values: [String: String]
    let destinations: [String: [String]]
    let line: SourceLine

    init(_ element: ContentsElement) {
      func attribute(_ name: String, _ element: ContentsElement) -> String {
        element.attributes.first { $0.name == name }?.value ?? ""
      }
      type = attribute("type", element)
      id = attribute("id", element)
      line = element.line
      var values: [String: String] = [:]
      var destinations: [String: [String]] = [:]
      for child in element.children {
        let name = attribute("name", child)
        if child.name == "attribute" {
          values[name] = child.text
        } else if child.name == "relationship" {
          destinations[name] = attribute("idrefs", child).split(separator: " ").map(String.init)
        }
      }
      self.values = values
      self.destinations = destinations
    }

    /// A text that is there and not empty.
    func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  private let objects: [String: Object]
  private let root: ContentsElement
  private let source: ModelHierarchy
  private let destination: ModelHierarchy
  private let file: String?

  init(_ root: ContentsElement, source: ModelDocument, destination: ModelDocument, file: String?) {
    self.root = root
    self.source = ModelHierarchy(source)
    self.destination = ModelHierarchy(destination)
    self.file = file
    let all = root.children.filter { $0.name == "object" }.map(Object.init)
    objects = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
  }

  func document() throws(ModelFileError) -> MappingDocument {
    guard root.name == "database", let model = objects.values.first(where: { $0.type == "XDDEVMAPPINGMODEL" })
    else {
      throw ModelFileError(.corrupt, file: file, problem: "this is no mapping model of Xcode's")
    }
    let mappings = (model.destinations["entitymappings"] ?? []).compactMap { objects[$0] }
      .sorted { number($0) < number($1) }
    let names = mappings.compactMap { mapping in
      mapping.text("sourcename").map { (entity: $0, mapping: name(of: mapping)) }
    }
    var document = MappingDocument()
    for mapping in mappings {
      document.entityMappings.append(try entityMapping(mapping, mappings: names))
    }
    return document
  }

  private func number(_ mapping: Object) -> Int { Int(mapping.values["mappingnumber"] ?? "") ?? 0 }

  /// `CarToCar`, or `Maker` for a new entity: the names that Xcode shows.
  private func name(of mapping: Object) -> String {
    if let name = mapping.text("name") { return name }
    let names = [mapping.text("sourcename"), mapping.text("destinationname")].compactMap(\.self)
    return names.joined(separator: "To")
  }

  private func entityMapping(
    _ object: Object,
    mappings: [(entity: String, mapping: String)]
  ) throws(ModelFileError) -> MappingDocument.EntityMapping {
    let (from, to) = (object.text("sourcename"), object.text("destinationname"))
    try check(from, in: source, object)
    try check(to, in: destination, object)
    let policy = object.text("migrationpolicyclassname")
    var mapping = MappingDocument.EntityMapping(name: name(of: object), type: type(from, to, policy))
    mapping.sourceEntity = from
    mapping.destinationEntity = to
    mapping.policyClassName = policy
    if let from, to != nil {
      let predicate = object.text("sourcefetchpredicate") ?? "TRUEPREDICATE"
      let request = "fetchRequestForSourceEntityNamed:predicateString:"
      mapping.sourceExpression =
        "FETCH(FUNCTION($manager, \"\(request)\", \(Self.quoted(from)), \(Self.quoted(predicate))), "
        + "$manager.sourceContext, NO)"
    }
    for property in parts("attributemappings", of: object) {
      mapping.attributes.append(try attributeMapping(property, from: from))
    }
    for property in parts("relationshipmappings", of: object) {
      mapping.relationships.append(try relationshipMapping(property, from: from, mappings: mappings))
    }
    return mapping
  }

  /// The raw value of Apple's `NSEntityMappingType`: custom, add, remove or transform.
  private func type(_ from: String?, _ to: String?, _ policy: String?) -> UInt {
    if policy != nil { return 1 }
    return from == nil ? 2 : to == nil ? 3 : 5
  }

  private func parts(_ name: String, of object: Object) -> [Object] {
    (object.destinations[name] ?? []).compactMap { objects[$0] }
      .sorted { BinaryOrder.isLess($0.values["name"] ?? "", $1.values["name"] ?? "") }
  }

  private func attributeMapping(
    _ object: Object,
    from entity: String?
  ) throws(ModelFileError) -> MappingDocument.PropertyMapping {
    let name = object.values["name"] ?? ""
    var mapping = MappingDocument.PropertyMapping(name: name, valueExpression: try expression(object))
    if mapping.valueExpression == nil, property(name, of: entity) != nil {
      mapping.valueExpression = "$source.\(name)"
    }
    return mapping
  }

  private func relationshipMapping(
    _ object: Object,
    from entity: String?,
    mappings: [(entity: String, mapping: String)]
  ) throws(ModelFileError) -> MappingDocument.PropertyMapping {
    let name = object.values["name"] ?? ""
    var mapping = MappingDocument.PropertyMapping(name: name, valueExpression: try expression(object))
    if mapping.valueExpression != nil { return mapping }
    if let target = object.text("sourcemappingname"), let path = object.text("sourcekeypath") {
      mapping.valueExpression = Self.destinations(of: path, by: target)
    } else if case .relationship(let relationship)? = property(name, of: entity)?.kind,
      let target = relationship.destinationEntity
    {
      let makers = mappings.filter { source.lineage(of: $0.entity).contains(target) }
      mapping.valueExpression =
        makers.count == 1
        ? Self.destinations(of: "$source.\(name)", by: makers[0].mapping) : Self.destinations(of: name)
    }
    return mapping
  }

  /// What several mappings make, one for each of the destination's subentities.
  private static func destinations(of relationship: String) -> String {
    let message = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    return "FUNCTION($manager, \"\(message)\", \(quoted(relationship)), $source.\(relationship))"
  }

  private static func destinations(of path: String, by mapping: String) -> String {
    let message = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    return "FUNCTION($manager, \"\(message)\", \(quoted(mapping)), \(path))"
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
    return "\"\(escaped.replacingOccurrences(of: "\"", with: "\\\""))\""
  }

  private func property(_ name: String, of entity: String?) -> ModelHierarchy.Property? {
    entity.flatMap { source.entities[$0] }.flatMap { source.properties(of: $0).first { $0.name == name } }
  }

  /// The expression that the author wrote: an archive of it.
  private func expression(_ object: Object) throws(ModelFileError) -> String? {
    guard let text = object.text("valueexpressiondata") else { return nil }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw error(object, "its expression is no data in Base64")
    }
    let archive = try KeyedArchive(data, file: file)
    return try ArchivedExpression(archive: archive).text(of: try archive.rootInstance())
  }

  private func check(_ entity: String?, in model: ModelHierarchy, _ object: Object) throws(ModelFileError) {
    guard let entity, model.entities[entity] == nil else { return }
    throw error(object, "the model has no entity \(entity); give the versions that the mapping model is for")
  }

  private func error(_ object: Object, _ problem: String) -> ModelFileError {
    ModelFileError(
      .corrupt,
      file: file,
      line: object.line.number,
      element:
        "object \(object.id), \(object.values["name"] ?? object.values["destinationname"] ?? object.type)",
      problem: problem
    )
  }
}
