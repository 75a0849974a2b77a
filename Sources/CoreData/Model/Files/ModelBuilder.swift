import Foundation
import ModelFormats
import Predicates

/// Makes the entities of a model from a document that has been checked.
struct ModelBuilder {
  private let document: ModelDocument
  private let composites: [String: ModelDocument.Composite]
  private var entities: [String: NSEntityDescription] = [:]

  init(document: ModelDocument) {
    self.document = document
    composites = Dictionary(
      document.composites.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Fills an empty model.
  mutating func build(into model: NSManagedObjectModel) throws(ModelFileError) {
    for entity in document.entities { entities[entity.name] = try makeEntity(entity) }
    let families = Dictionary(grouping: document.entities, by: \.parentEntity)
    for case (let parent?, let children) in families {
      entities[parent]?.subentities = children.compactMap { entities[$0.name] }
    }
    for entity in document.entities { connectRelationships(of: entity) }
    model.entities = document.entities.compactMap { entities[$0.name] }
    for configuration in document.configurations {
      model.configurationMembers[configuration.name] = configuration.members.map(\.name)
    }
    model.versionIdentifiers = Set(document.versionIdentifier.map { [AnyHashable($0)] } ?? [])
    for request in document.fetchRequests {
      model.templates[request.name] = try request.makeRequest(in: "fetchRequest \(request.name)")
    }
  }

  private func makeEntity(_ part: ModelDocument.Entity) throws(ModelFileError) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = part.name
    if let name = part.representedClassName, !name.isEmpty { entity.managedObjectClassName = name }
    entity.isAbstract = part.isAbstract
    entity.versionHashModifier = part.versionHashModifier
    entity.explicitRenamingIdentifier = part.elementID
    entity.userInfo = Self.userInfo(part.userInfo)
    entity.uniquenessConstraints = (part.uniquenessConstraints ?? []).map { $0.properties.map(\.value) }
    entity.compoundIndexes = (part.compoundIndexes ?? []).map { $0.properties.map(\.value) }
    let place = "entity \(part.name)"
    var properties: [NSPropertyDescription] = []
    for attribute in part.attributes { properties.append(try makeAttribute(attribute, in: place)) }
    properties += part.relationships.map(makeRelationship)
    for property in part.fetchedProperties { properties.append(try makeFetchedProperty(property, in: place)) }
    entity.properties = properties
    var indexes: [NSFetchIndexDescription] = []
    for index in part.fetchIndexes { indexes.append(try makeIndex(index, in: place)) }
    entity.indexes = indexes
    return entity
  }

  private func makeAttribute(
    _ part: ModelDocument.Attribute,
    in place: String
  ) throws(ModelFileError) -> NSAttributeDescription {
    let attribute: NSAttributeDescription
    if part.type == .composite {
      let composite = NSCompositeAttributeDescription()
      composite.compositeName = part.composite
      var elements: [NSAttributeDescription] = []
      for element in part.composite.flatMap({ composites[$0] })?.attributes ?? [] {
        elements.append(try makeAttribute(element, in: place))
      }
      composite.elements = elements
      attribute = composite
    } else if part.isDerived {
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpression = try Self.expression(
        part.derivationExpression ?? "",
        line: part.line,
        element: "\(place), attribute \(part.name)",
        xmlAttribute: "derivationExpression"
      )
      attribute = derived
    } else {
      attribute = NSAttributeDescription()
    }
    attribute.name = part.name
    attribute.attributeType = NSAttributeType(part.type ?? .undefined)
    attribute.isOptional = part.isOptional
    attribute.isTransient = part.isTransient
    attribute.isIndexed = part.isIndexed
    attribute.isIndexedBySpotlight = part.isIndexedBySpotlight
    attribute.isStoredInExternalRecord = part.isStoredInTruthFile
    attribute.allowsExternalBinaryDataStorage = part.allowsExternalBinaryDataStorage
    attribute.preservesValueInHistoryOnDeletion = part.preservesValueInHistoryOnDeletion
    attribute.allowsCloudEncryption = part.allowsCloudEncryption
    attribute.valueTransformerName = part.valueTransformerName
    attribute.explicitValueClassName = part.customClassName
    attribute.explicitRenamingIdentifier = part.elementID
    attribute.versionHashModifier = part.versionHashModifier
    attribute.userInfo = Self.userInfo(part.userInfo)
    attribute.defaultValue = part.defaultValue()?.object
    let bounds = AttributeBounds(
      minimum: try part.minimum(),
      maximum: try part.maximum(),
      pattern: part.type == .string ? part.regularExpressionString : nil
    )
    do throws(PredicateFormatError) {
      try attribute.setValidation(bounds, validations: part.validations)
    } catch {
      throw ModelFileError(
        .corrupt,
        line: part.line.number,
        element: "\(place), attribute \(part.name)",
        problem: "a condition of its values is not a predicate: \(error)"
      )
    }
    return attribute
  }

  private func makeRelationship(_ part: ModelDocument.Relationship) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = part.name
    relationship.isOptional = part.isOptional
    relationship.isTransient = part.isTransient
    relationship.isIndexed = part.isIndexed
    relationship.isIndexedBySpotlight = part.isIndexedBySpotlight
    relationship.isStoredInExternalRecord = part.isStoredInTruthFile
    relationship.isOrdered = part.isOrdered
    relationship.minCount = part.effectiveMinCount
    relationship.maxCount = part.effectiveMaxCount
    relationship.deleteRule = NSDeleteRule(rawValue: (part.deletionRule ?? .nullify).number) ?? .nullifyDeleteRule
    relationship.explicitRenamingIdentifier = part.elementID
    relationship.versionHashModifier = part.versionHashModifier
    relationship.userInfo = Self.userInfo(part.userInfo)
    return relationship
  }

  private func makeFetchedProperty(
    _ part: ModelDocument.FetchedProperty,
    in place: String
  ) throws(ModelFileError) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    property.name = part.name
    property.isOptional = part.isOptional
    property.explicitRenamingIdentifier = part.elementID
    property.versionHashModifier = part.versionHashModifier
    property.userInfo = Self.userInfo(part.userInfo)
    property.fetchRequest = try part.fetchRequest?.makeRequest(in: "\(place), fetchedProperty \(part.name)")
    return property
  }

  private func makeIndex(
    _ part: ModelDocument.FetchIndex,
    in place: String
  ) throws(ModelFileError) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for element in part.elements {
      let collation: NSFetchIndexElementType = element.kind == .rTree ? .rTree : .binary
      if let text = element.expression {
        let computed = NSExpressionDescription()
        computed.name = "expression"
        computed.expression = try Self.expression(
          text,
          line: element.line,
          element: "\(place), fetchIndex \(part.name)",
          xmlAttribute: "expression"
        )
        computed.expressionResultType = NSAttributeType(
          element.expressionType.flatMap(ModelDocument.AttributeType.init(rawValue:)) ?? .undefined
        )
        elements.append(NSFetchIndexElementDescription(property: computed, collationType: collation))
      } else {
        elements.append(
          NSFetchIndexElementDescription(
            propertyName: element.property ?? "",
            collationType: collation,
            isAscending: true
          )
        )
      }
      elements.last?.isAscending = element.order != .descending
    }
    let index = NSFetchIndexDescription(name: part.name, elements: elements)
    if let format = part.partialIndexPredicate {
      do throws(PredicateFormatError) {
        index.partialIndexPredicate = try NSPredicate(parsing: format)
      } catch {
        throw ModelFileError(
          .corrupt,
          line: part.line.number,
          element: "\(place), fetchIndex \(part.name)",
          problem: "\"\(format)\" is not a predicate: \(error)"
        )
      }
    }
    return index
  }

  private static func expression(
    _ text: String,
    line: SourceLine,
    element: String,
    xmlAttribute: String
  ) throws(ModelFileError) -> NSExpression {
    do throws(PredicateFormatError) {
      return try NSExpression(parsing: text)
    } catch {
      throw ModelFileError(
        .corrupt,
        line: line.number,
        element: element,
        attribute: xmlAttribute,
        problem: "\"\(text)\" is not an expression: \(error)"
      )
    }
  }

  private func connectRelationships(of part: ModelDocument.Entity) {
    guard let entity = entities[part.name] else { return }
    let relationships = entity.relationshipsByName
    for link in part.relationships {
      guard let relationship = relationships[link.name],
        let destination = link.destinationEntity.flatMap({ entities[$0] })
      else { continue }
      relationship.destination = destination
      if let inverse = link.inverseName.flatMap({ destination.relationshipsByName[$0] }) {
        relationship.inverseRelationship = inverse
      }
    }
  }

  private static func userInfo(_ entries: [ModelDocument.UserInfoEntry]?) -> [AnyHashable: Any] {
    Dictionary(
      (entries ?? []).map { (AnyHashable($0.key), $0.value ?? "") },
      uniquingKeysWith: { _, last in last }
    )
  }
}

extension NSAttributeType {
  init(_ type: ModelDocument.AttributeType) {
    self = NSAttributeType(rawValue: UInt(type.number)) ?? .undefinedAttributeType
  }
}

extension ModelDocument.Value {
  /// The value as programs get it: numbers and truth values as `NSNumber`, decimals as `NSDecimalNumber`.
  var object: Any {
    switch self {
    case .integer(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .double(let value): NSNumber(value: value)
    case .string(let value): value
    case .boolean(let value): NSNumber(value: value)
    case .date(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    }
  }
}
