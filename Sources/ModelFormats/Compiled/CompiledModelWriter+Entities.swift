import PropertyLists

extension CompiledModelWriter {
  mutating func define(_ entity: ModelDocument.Entity, model: Int) throws(ModelFileError) {
    guard let uid = entities[entity.name] else { return }
    var properties: [(key: String, uid: Int)] = []
    for attribute in entity.attributes { properties.append((attribute.name, try add(attribute, entity: uid))) }
    for relationship in entity.relationships {
      guard let property = relationships[entity.name]?[relationship.name] else { continue }
      define(relationship, as: property, entity: uid)
      properties.append((relationship.name, property))
    }
    for property in entity.fetchedProperties { properties.append((property.name, add(property, entity: uid))) }
    properties.sort { BinaryOrder.isLess($0.key, right: $1.key) }
    let subentities = document.entities.filter { $0.parentEntity == entity.name }
      .compactMap { child in entities[child.name].map { (key: child.name, uid: $0) } }

    var fields: [KeyedArchiveWriter.Field] = [
      ("NSEntityName", .uid(archive.string(entity.name))),
      ("NSClassNameForEntity", .uid(archive.string(className(entity.representedClassName)))),
      ("NSManagedObjectModel", .uid(model)),
      ("NSProperties", .uid(archive.dictionary(.mutableDictionary, properties))),
      ("NSSubentities", .uid(archive.dictionary(.mutableDictionary, subentities))),
      ("NSSuperentity", .uid(entity.parentEntity.flatMap { entities[$0] } ?? 0)),
      ("NSUserInfo", .uid(userInfo(entity.userInfo ?? []))),
      ("NSVersionHashModifier", .uid(archive.string(entity.versionHashModifier))),
      ("NSRenamingIdentifier", .uid(archive.string(entity.elementID ?? entity.name))),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .boolean(true))) }
    if let constraints = entity.uniquenessConstraints, !constraints.isEmpty {
      fields.append(("NSUniqueTuples", .uid(groups(constraints.map { $0.properties.map(\.value) }))))
    }
    fields += indexes(entity, uid: uid)
    var details = ArchivedDetails(
      part: entity,
      names: ["syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression"]
    )
    if entity.representedClassName?.isEmpty ?? false { details.append("representedClassName", text: "") }
    fields += details.fields(in: &archive)
    archive.define(uid, type: .entity, fields: fields)
  }

  /// The name of a class as the program finds it: one of the module that the model is built into is
  /// written with a dot in front.
  func className(_ name: String?) -> String {
    guard let name, !name.isEmpty else { return "NSManagedObject" }
    guard let module, name.hasPrefix(".") else { return name }
    return module + name
  }

  /// Groups of names, as uniqueness constraints and indexes in the older style are archived.
  private mutating func groups(_ groups: [[String]]) -> Int {
    var uids: [Int] = []
    for names in groups {
      uids.append(archive.collection(.mutableArray, uids: names.map { archive.string($0) }))
    }
    return archive.collection(.mutableArray, uids: uids)
  }

  mutating func userInfo(_ entries: [ModelDocument.UserInfoEntry]) -> Int {
    let texts = Dictionary(entries.map { ($0.key, $0.value ?? "") }) { _, last in last }
    return archive.dictionary(
      .dictionary,
      texts.sorted { BinaryOrder.isLess($0.key, right: $1.key) }.map { ($0.key, archive.string($0.value)) }
    )
  }

  private mutating func indexes(_ entity: ModelDocument.Entity, uid: Int) -> [KeyedArchiveWriter.Field] {
    var fields: [KeyedArchiveWriter.Field] = []
    if !entity.fetchIndexes.isEmpty {
      let indexes = entity.fetchIndexes.map { add($0, entity: uid) }
      fields.append(("NSFetchIndexDescriptions", .uid(archive.collection(.mutableArray, uids: indexes))))
    }
    // Apple's compiler repeats an index over several properties in the older style.
    let repeated = entity.fetchIndexes.map { $0.elements.compactMap(\.property) }.filter { $0.count > 1 }
    let own = (entity.compoundIndexes ?? []).map { $0.properties.map(\.value) }
    let compound = own + repeated.filter { !own.contains($0) }
    if !compound.isEmpty { fields.append(("NSCompoundIndexes", .uid(groups(compound)))) }
    return fields
  }

  private mutating func add(_ index: ModelDocument.FetchIndex, entity: Int) -> Int {
    let uid = archive.reserve()
    var elements: [Int] = []
    for element in index.elements {
      var fields: [KeyedArchiveWriter.Field] = [
        ("NSPropertyName", .uid(archive.string(element.property))),
        ("NSFetchIndexElementType", .integer(element.kind == .rTree ? 1 : 0)),
        ("NSFetchIndexDescription", .uid(uid)),
      ]
      if element.order != .descending { fields.append(("NSAscending", .boolean(true))) }
      fields += ArchivedDetails(part: element, names: ["expression", "expressionType"]).fields(in: &archive)
      elements.append(archive.object(.fetchIndexElement, fields: fields))
    }
    var fields: [KeyedArchiveWriter.Field] = [
      ("NSIndexName", .uid(archive.string(index.name))),
      ("NSEntity", .uid(entity)),
      ("NSIndexElements", .uid(archive.collection(.array, uids: elements))),
    ]
    var details = ArchivedDetails(part: index, names: [])
    fields += condition(
      index.partialIndexPredicate,
      key: "NSPartialIndexPredicate",
      detail: CompiledModelWriter.partialIndexDetail,
      details: &details
    )
    archive.define(uid, type: .fetchIndex, fields: fields + details.fields(in: &archive))
    return uid
  }

  /// The name of the detail for a condition of an index, which the XML of a model has no name for.
  static let partialIndexDetail = "partialIndexPredicate"

  /// A predicate under its key; its text goes into the details where the archive does not give it back.
  mutating func condition(
    _ format: String?,
    key: String,
    detail: String,
    details: inout ArchivedDetails
  ) -> [KeyedArchiveWriter.Field] {
    guard let format else { return [(key, .uid(0))] }
    if !FormatArchiver.isReproduced(predicate: format) { details.append(detail, text: format) }
    return [(key, .uid(FormatArchiver.predicate(format, in: &archive) ?? 0))]
  }

  mutating func add(_ request: ModelDocument.FetchRequest, defaultName: String) -> Int {
    var details = ArchivedDetails(
      part: request,
      names: [
        "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
        "returnDistinctResults",
      ]
    )
    if request.name != defaultName { details.append("name", text: request.name) }
    var fields: [KeyedArchiveWriter.Field] = [
      ("NSEntity", .uid(request.entity.flatMap { entities[$0] } ?? 0)),
      ("NSFetchLimit", .integer(Int64(request.fetchLimit ?? 0))),
      ("NSFetchOffset", .integer(0)),
      ("NSBatchSize", .integer(Int64(request.fetchBatchSize ?? 0))),
      ("NSResultType", .integer(Int64(request.resultType ?? 0))),
      ("NSAllocationType", .integer(0)),
      // The flags of a request with all settings at their defaults.
      ("NSHasFetchRequestFlags", .boolean(true)),
      ("NSFetchRequestFlags", .integer(30)),
    ]
    for key in [
      "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
      "NSRelationshipKeyPathsForPrefetching",
    ] { fields.append((key, .uid(0))) }
    fields += condition(
      request.predicateString,
      key: "NSPredicate",
      detail: "predicateString",
      details: &details
    )
    return archive.object(.fetchRequest, fields: fields + details.fields(in: &archive))
  }
}
