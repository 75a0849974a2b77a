package import Foundation

extension MappingDocument {
  /// Reads what Xcode edits of a mapping model: the file `xcmapping.xml` in an `.xcmappingmodel`,
  /// which is a store in XML.
  ///
  /// Expressions that Xcode generates when it compiles the file are generated here, for which both
  /// models are needed. Version hashes are not in the file.
  ///
  /// - Parameters:
  ///   - source: the model of the source.
  ///   - destination: the model of the destination.
  ///   - file: the name by which errors call the file.
  /// - Throws: `ModelFileError` with the object that is wrong.
  package init(
    source data: Data,
    from source: ModelDocument,
    to destination: ModelDocument,
    file: String? = nil
  ) throws(ModelFileError) {
    let objects = try MappingSource(data, file: file)
    self = try MappingSourceReader(objects, source: source, destination: destination).document()
  }
}

/// The objects of an `xcmapping.xml`.
struct MappingSource {
  /// An object of the store: its attributes and the identifiers of its destinations, by name.
  struct Object {
    let type: String
    let id: String
    let values: [String: String]
    let destinations: [String: [String]]
    let line: SourceLine

    init(_ element: ContentsElement) {
      type = element["type"] ?? ""
      id = element["id"] ?? ""
      line = element.line
      var values: [String: String] = [:]
      var destinations: [String: [String]] = [:]
      for child in element.children {
        let name = child["name"] ?? ""
        if child.name == "attribute" {
          values[name] = child.text
        } else if child.name == "relationship" {
          destinations[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
        }
      }
      self.values = values
      self.destinations = destinations
    }

    /// A text that is there and not empty.
    func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  let file: String?
  let objects: [String: Object]
  /// The mapping model itself.
  let model: Object

  /// - Throws: `ModelFileError` if the data is not XML or does not contain a mapping model.
  init(_ data: Data, file: String?) throws(ModelFileError) {
    let root = try ContentsParser.parse(data, file: file)
    let all = root.children.filter { $0.name == "object" }.map(Object.init)
    guard root.name == "database", let model = all.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw ModelFileError(
        .corrupt,
        file: file,
        line: root.line.number,
        problem:
          "this is not a mapping model of Xcode's, which has an object of the type XDDEVMAPPINGMODEL; restore the file"
      )
    }
    self.file = file
    self.model = model
    objects = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The entity mappings, in the order in which they are carried out.
  ///
  /// Those that have neither a source nor a destination are left out: Xcode's editor makes such a
  /// mapping for the user to fill in, and its compiler accepts it.
  var entityMappings: [Object] { allEntityMappings.filter { !Self.isEmpty($0) } }

  /// A warning for each entity mapping that is left out.
  var warnings: [ModelFileError] {
    allEntityMappings.filter(Self.isEmpty).map {
      error($0, problem: "the mapping has neither a source nor a destination and is left out; remove it in Xcode")
    }
  }

  private var allEntityMappings: [Object] {
    func number(_ mapping: Object) -> Int { Int(mapping.values["mappingnumber"] ?? "") ?? 0 }
    return (model.destinations["entitymappings"] ?? []).compactMap { objects[$0] }
      .sorted { (number($0), $0.id) < (number($1), $1.id) }
  }

  private static func isEmpty(_ mapping: Object) -> Bool {
    mapping.text("sourcename") == nil && mapping.text("destinationname") == nil
  }

  /// The bytes of an attribute, or `nil` when it is missing or empty.
  ///
  /// - Throws: `ModelFileError` when they are no Base64.
  func data(_ name: String, of object: Object) throws(ModelFileError) -> Data? {
    guard let text = object.text(name) else { return nil }
    if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) { return data }
    throw error(object, problem: "\(name) is not data in Base64; restore the file, or edit the mapping in Xcode again")
  }

  func error(_ object: Object, problem: String) -> ModelFileError {
    let name = object.text("name") ?? object.text("destinationname") ?? object.text("sourcename")
    return ModelFileError(
      .corrupt,
      file: file,
      line: object.line.number,
      element: "object \(object.id)" + (name.map { ", \($0)" } ?? ""),
      problem: problem
    )
  }
}

/// Makes a mapping model of the objects of an `xcmapping.xml` and the two models.
struct MappingSourceReader {
  private typealias Object = MappingSource.Object

  private let objects: MappingSource
  private let source: ModelHierarchy
  private let destination: ModelHierarchy

  init(_ objects: MappingSource, source: ModelDocument, destination: ModelDocument) {
    self.objects = objects
    self.source = ModelHierarchy(source)
    self.destination = ModelHierarchy(destination)
  }

  func document() throws(ModelFileError) -> MappingDocument {
    let mappings = objects.entityMappings
    let names = mappings.compactMap { mapping in
      mapping.text("sourcename").map { (entity: $0, mapping: name(of: mapping)) }
    }
    var document = MappingDocument()
    var known: Set<String> = []
    for mapping in mappings where !known.insert(name(of: mapping)).inserted {
      throw error(
        mapping,
        problem: "there is another mapping of the name \(name(of: mapping)); give each a name of its own"
      )
    }
    for mapping in mappings {
      let part = try entityMapping(mapping, mappings: names)
      try MappingCheck(mappings: known, destination: destination).check(part, file: objects.file)
      document.entityMappings.append(part)
    }
    return document
  }

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
    try check(from, in: source, object: object)
    try check(to, in: destination, object: object)
    let policy = object.text("migrationpolicyclassname")
    var mapping = MappingDocument.EntityMapping(name: name(of: object), type: type(from, to: to, policy: policy))
    mapping.line = object.line
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

  /// The raw value of Apple's `NSEntityMappingType`: custom, add, remove, copy or transform. An entity that keeps its
  /// name is copied, also where it has changed, as a mapping model that Xcode compiled has it.
  private func type(_ from: String?, to: String?, policy: String?) -> UInt {
    if policy != nil { return 1 }
    return from == nil ? 2 : to == nil ? 3 : from == to ? 4 : 5
  }

  private func parts(_ name: String, of object: Object) -> [Object] {
    (object.destinations[name] ?? []).compactMap { objects.objects[$0] }
      .sorted { BinaryOrder.isLess($0.values["name"] ?? "", right: $1.values["name"] ?? "") }
  }

  private func attributeMapping(
    _ object: Object,
    from entity: String?
  ) throws(ModelFileError) -> MappingDocument.PropertyMapping {
    let name = object.values["name"] ?? ""
    var mapping = MappingDocument.PropertyMapping(name: name, valueExpression: try expression(object))
    mapping.line = object.line
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
    mapping.line = object.line
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

  /// The format of the objects that several mappings make, one for each of the destination's subentities.
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

  /// The expression that the author wrote, as an archive.
  private func expression(_ object: Object) throws(ModelFileError) -> String? {
    guard let data = try objects.data("valueexpressiondata", of: object) else { return nil }
    do {
      let archive = try KeyedArchive(data, file: objects.file, kind: "an archive of an expression")
      return try ArchivedExpression(archive: archive).text(of: try archive.rootInstance())
    } catch {
      let part = error.element.map { "\($0): " } ?? ""
      throw self.error(
        object,
        problem:
          "its expression cannot be read (\(part)\(error.problem)); have a migration policy find the value"
      )
    }
  }

  private func check(_ entity: String?, in model: ModelHierarchy, object: Object) throws(ModelFileError) {
    guard let entity, model.entities[entity] == nil else { return }
    throw error(object, problem: "the model has no entity \(entity); give the versions that the mapping model is for")
  }

  private func error(_ object: Object, problem: String) -> ModelFileError { objects.error(object, problem: problem) }
}
