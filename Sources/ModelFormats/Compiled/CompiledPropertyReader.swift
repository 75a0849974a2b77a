import Foundation

/// Reads the properties of a compiled model.
struct CompiledPropertyReader {
  enum Property {
    case attribute(ModelDocument.Attribute)
    case relationship(ModelDocument.Relationship)
    case fetched(ModelDocument.FetchedProperty)
  }

  let archive: KeyedArchive
  let expressions: ArchivedExpression

  /// - Throws: `ModelFileError` if the property has an unknown class or lacks a required value.
  func read(
    _ archived: ArchivedInstance,
    of entity: String,
    composites: inout [ModelDocument.Composite]
  ) throws(ModelFileError) -> Property {
    let name = try archived.string("NSPropertyName") ?? ""
    let place = "entity \(entity), property \(name)"
    if name.isEmpty { throw archive.error("entity \(entity)", problem: "a property has no name") }
    switch archived.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
      return .attribute(try readAttribute(archived, name: name, in: place, composites: &composites, depth: 0))
    case "NSRelationshipDescription":
      var relationship = try readRelationship(archived, name: name)
      try relationship.readDetails(archived, in: place)
      return .relationship(relationship)
    case "NSFetchedPropertyDescription":
      var property = ModelDocument.FetchedProperty(
        name: name,
        fetchRequest: ModelDocument.FetchRequest(name: "", entity: "")
      )
      property.isOptional = try archived.boolean("NSIsOptional")
      property.isTransient = try archived.boolean("NSIsTransient")
      property.versionHashModifier = try archived.string("NSVersionHashModifier")
      property.elementID = try CompiledModelReader.renaming(archived, from: name)
      property.userInfo = try CompiledModelReader.userInfo(archived, archive: archive)
      try property.readDetails(archived, in: place)
      return .fetched(property)
    default: throw archive.error(place, problem: "a property of the class \(archived.className) cannot be understood")
    }
  }

  private func readAttribute(
    _ archived: ArchivedInstance,
    name: String,
    in place: String,
    composites: inout [ModelDocument.Composite],
    depth: Int
  ) throws(ModelFileError) -> ModelDocument.Attribute {
    let number = try archived.integer("NSAttributeType") ?? 0
    guard let type = UInt32(exactly: number).flatMap(ModelDocument.AttributeType.init(number:)) else {
      throw archive.error(place, problem: "the attribute has the type \(number), which is not known")
    }
    var attribute = ModelDocument.Attribute(name: name, type: type)
    attribute.isOptional = try archived.boolean("NSIsOptional")
    attribute.isTransient = try archived.boolean("NSIsTransient")
    attribute.isIndexed = try archived.boolean("NSIsIndexed")
    attribute.isIndexedBySpotlight = try archived.boolean("NSIndexedBySpotlight")
    attribute.valueTransformerName = try archived.string("NSValueTransformerName")
    attribute.versionHashModifier = try archived.string("NSVersionHashModifier")
    attribute.elementID = try CompiledModelReader.renaming(archived, from: name)
    attribute.userInfo = try CompiledModelReader.userInfo(archived, archive: archive)
    if type == .transformable { attribute.customClassName = try archived.string("NSAttributeValueClassName") }
    // Observed in compiled models that are available with their sources.
    let flags = try archived.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    if archived.className == "NSDerivedAttributeDescription" {
      attribute.isDerived = true
      attribute.derivationExpression = try archived.instance("NSDerivationExpression").map {
        expression throws(ModelFileError) in try expressions.text(of: expression)
      }
    }
    try readDefault(archived, into: &attribute)
    try readValidation(archived, into: &attribute)
    try attribute.readDetails(archived, in: place)
    if type == .composite {
      attribute.composite = try readComposite(
        archived,
        name: attribute.composite ?? name,
        in: place,
        composites: &composites,
        depth: depth
      )
    }
    return attribute
  }

  /// Reads the elements of a composite attribute into a composite, whose name Apple's archives do not keep.
  private func readComposite(
    _ archived: ArchivedInstance,
    name: String,
    in place: String,
    composites: inout [ModelDocument.Composite],
    depth: Int
  ) throws(ModelFileError) -> String {
    if depth > DocumentCheck.deepestComposite {
      throw archive.error(place, problem: "composites are nested more than \(DocumentCheck.deepestComposite) deep")
    }
    var attributes: [ModelDocument.Attribute] = []
    // Archives that were written here before Apple's key was known have the elements under the other one.
    var elements = try archived.instance("NSCompositeElements")
    if elements == nil { elements = try archived.instance("NSElements") }
    for uid in try elements?.elements() ?? [] {
      guard let element = try archive.instance(uid) else { continue }
      let elementName = try element.string("NSPropertyName") ?? ""
      attributes.append(
        try readAttribute(
          element,
          name: elementName,
          in: "\(place), element \(elementName)",
          composites: &composites,
          depth: depth + 1
        )
      )
      if attributes.count + composites.count > DocumentCheck.largestComposite {
        throw archive.error(place, problem: "the composite has too many elements")
      }
    }
    var unique = name
    var suffix = 1
    while let known = composites.first(where: { $0.name == unique }), known.attributes != attributes {
      suffix += 1
      unique = "\(name)\(suffix)"
    }
    if !composites.contains(where: { $0.name == unique }) {
      composites.append(ModelDocument.Composite(name: unique, attributes: attributes))
    }
    return unique
  }

  private func readDefault(
    _ archived: ArchivedInstance,
    into attribute: inout ModelDocument.Attribute
  ) throws(ModelFileError) {
    guard let type = attribute.type, type.canHaveDefault,
      let value = try ModelDocument.Value(archived, key: "NSDefaultValue")
    else { return }
    if case .date(let date) = value {
      attribute.defaultDateTimeInterval = date.timeIntervalSinceReferenceDate
    } else {
      attribute.defaultValueString = value.text(for: type)
    }
  }

  private func readRelationship(
    _ archived: ArchivedInstance,
    name: String
  ) throws(ModelFileError) -> ModelDocument.Relationship {
    let destinationName = try archived.string("_NSDestinationEntityName")
    let destinationEntity = try archived.instance("NSDestinationEntity")?.string("NSEntityName")
    let destination = destinationName ?? destinationEntity ?? ""
    var relationship = ModelDocument.Relationship(name: name, destinationEntity: destination)
    relationship.isOptional = try archived.boolean("NSIsOptional")
    relationship.isTransient = try archived.boolean("NSIsTransient")
    relationship.isIndexed = try archived.boolean("NSIsIndexed")
    relationship.isOrdered = try archived.boolean("NSIsOrdered")
    let inverseName = try archived.string("_NSInverseRelationshipName")
    relationship.inverseName =
      try archived.instance("NSInverseRelationship")?.string("NSPropertyName") ?? inverseName
    relationship.inverseEntity = relationship.inverseName == nil ? nil : destination
    let maxCount = Int(clamping: try archived.integer("NSMaxCount") ?? 0)
    let minCount = Int(clamping: try archived.integer("NSMinCount") ?? 0)
    relationship.isToMany = maxCount != 1
    relationship.maxCount = maxCount == 0 ? nil : maxCount
    relationship.minCount = minCount == 0 ? nil : minCount
    let rule = try archived.integer("NSDeleteRule") ?? 1
    relationship.deletionRule = ModelDocument.DeletionRule.allCases.first { Int64($0.number) == rule }
    relationship.versionHashModifier = try archived.string("NSVersionHashModifier")
    relationship.elementID = try CompiledModelReader.renaming(archived, from: name)
    relationship.userInfo = try CompiledModelReader.userInfo(archived, archive: archive)
    return relationship
  }
}
