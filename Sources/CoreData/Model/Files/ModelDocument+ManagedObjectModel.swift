import Foundation
package import ModelFormats
import Predicates

extension ModelDocument {
  /// Makes the document of a model, which can be hashed and written.
  package init(_ model: NSManagedObjectModel) {
    self.init()
    type = "com.apple.IDECoreDataModeler.DataModel"
    documentVersion = "1.0"
    versionIdentifier = model.versionIdentifiers.map { "\($0)" }.sorted().first
    var composites = CompositeCollection()
    entities = NSManagedObjectModel.withDescendants(model.ownEntities).map { composites.entity($0) }
    self.composites = composites.sorted
    configurations = model.configurationMembers.sorted { $0.key < $1.key }.map { name, members in
      Configuration(name: name, entities: members)
    }
    fetchRequests = model.templates.sorted { $0.key < $1.key }.map { FetchRequest($0.value, name: $0.key) }
  }
}

extension ModelDocument.Entity {
  /// Makes the part of a document that describes an entity, without what it inherits.
  init(_ entity: NSEntityDescription) {
    self.init(name: entity.name ?? "")
    representedClassName = entity.className == "NSManagedObject" ? nil : entity.className
    isAbstract = entity.isAbstract
    parentEntity = entity.parent?.name
    elementID = entity.explicitRenamingIdentifier
    versionHashModifier = entity.versionHashModifier
    userInfo = [ModelDocument.UserInfoEntry](entity.userInfo)
    attributes = entity.ownProperties.compactMap { ($0 as? NSAttributeDescription).map(ModelDocument.Attribute.init) }
    relationships = entity.ownProperties.compactMap {
      ($0 as? NSRelationshipDescription).map(ModelDocument.Relationship.init)
    }
    fetchedProperties = entity.ownProperties.compactMap {
      ($0 as? NSFetchedPropertyDescription).map(ModelDocument.FetchedProperty.init)
    }
    fetchIndexes = entity.indexes.map(ModelDocument.FetchIndex.init)
    let constraints = entity.uniquenessConstraints.map(Self.names)
    uniquenessConstraints = constraints.isEmpty ? nil : constraints.map { .init(properties: $0) }
    let compound = entity.compoundIndexes.compactMap { ($0 as? [Any]).map(Self.names) }
    compoundIndexes = compound.isEmpty ? nil : compound.map { .init(properties: $0) }
  }

  private static func names(_ properties: [Any]) -> [String] {
    properties.map { "\(NSEntityDescription.propertyName($0))" }
  }
}

extension ModelDocument.Attribute {
  /// Makes the part of a document that describes an attribute.
  init(_ attribute: NSAttributeDescription) {
    self.init(name: attribute.name, type: ModelDocument.AttributeType(attribute.attributeType))
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    isIndexed = attribute.isIndexed
    isIndexedBySpotlight = attribute.isIndexedBySpotlight
    isStoredInTruthFile = attribute.isStoredInExternalRecord
    allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = attribute.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = attribute.allowsCloudEncryption
    valueTransformerName = attribute.valueTransformerName
    customClassName = attribute.explicitValueClassName
    elementID = attribute.explicitRenamingIdentifier
    versionHashModifier = attribute.versionHashModifier
    userInfo = [ModelDocument.UserInfoEntry](attribute.userInfo)
    if let derived = attribute as? NSDerivedAttributeDescription {
      isDerived = true
      derivationExpression = derived.derivationExpression?.description
    }
    setValues(of: attribute)
  }

  private mutating func setValues(of attribute: NSAttributeDescription) {
    if let value = attribute.boxedDefaultValue {
      if let date = value as? Date {
        defaultDateTimeInterval = date.timeIntervalSinceReferenceDate
      } else {
        defaultValueString = ModelDocument.Value.text(of: value, type: type ?? .undefined)
      }
    }
    validations = attribute.furtherValidations
    regularExpressionString = attribute.bounds.pattern
    (minValueString, minDateTimeInterval) = Self.bound(attribute.bounds.minimum)
    (maxValueString, maxDateTimeInterval) = Self.bound(attribute.bounds.maximum)
  }

  private static func bound(_ value: ModelDocument.Value?) -> (String?, Double?) {
    guard let value else { return (nil, nil) }
    if case .date(let date) = value { return (nil, date.timeIntervalSinceReferenceDate) }
    return (ModelDocument.Value.text(of: value.object, type: .undefined), nil)
  }
}

extension ModelDocument.Relationship {
  /// Makes the part of a document that describes a relationship.
  init(_ relationship: NSRelationshipDescription) {
    self.init(name: relationship.name, destinationEntity: relationship.destinationName ?? "")
    isOptional = relationship.isOptional
    isTransient = relationship.isTransient
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    minCount = relationship.minCount == 0 ? nil : relationship.minCount
    maxCount = relationship.maxCount == 0 ? nil : relationship.maxCount
    deletionRule = ModelDocument.DeletionRule.allCases.first { $0.number == relationship.deleteRule.rawValue }
    inverseName = relationship.inverseName
    inverseEntity = inverseName == nil ? nil : relationship.destinationName
    isIndexed = relationship.isIndexed
    isIndexedBySpotlight = relationship.isIndexedBySpotlight
    isStoredInTruthFile = relationship.isStoredInExternalRecord
    elementID = relationship.explicitRenamingIdentifier
    versionHashModifier = relationship.versionHashModifier
    userInfo = [ModelDocument.UserInfoEntry](relationship.userInfo)
  }
}

extension ModelDocument.FetchIndex {
  /// Makes the part of a document that describes an index.
  init(_ index: NSFetchIndexDescription) {
    self.init(
      name: index.name,
      elements: index.elements.map { element in
        var part = ModelDocument.FetchIndexElement(
          property: element.propertyName ?? "",
          kind: element.collationType == .rTree ? .rTree : .binary,
          order: element.isAscending ? .ascending : .descending
        )
        if let computed = element.indexedProperty as? NSExpressionDescription {
          part.property = nil
          part.expression = computed.expression?.description
          part.expressionType = ModelDocument.AttributeType(computed.expressionResultType).rawValue
        }
        return part
      }
    )
    partialIndexPredicate = index.partialIndexPredicate?.description
  }
}

extension ModelDocument.FetchedProperty {
  /// Makes the part of a document that describes a fetched property.
  init(_ property: NSFetchedPropertyDescription) {
    self.init(
      name: property.name,
      fetchRequest: property.fetchRequest.map {
        ModelDocument.FetchRequest($0, name: "fetchedPropertyFetchRequest")
      } ?? ModelDocument.FetchRequest(name: "fetchedPropertyFetchRequest", entity: "")
    )
    isOptional = property.isOptional
    elementID = property.explicitRenamingIdentifier
    versionHashModifier = property.versionHashModifier
    userInfo = [ModelDocument.UserInfoEntry](property.userInfo)
  }
}

extension ModelDocument.AttributeType {
  init(_ type: NSAttributeType) { self = ModelDocument.AttributeType(number: UInt32(type.rawValue)) ?? .undefined }
}

extension [ModelDocument.UserInfoEntry] {
  /// The entries of a user info by key, or `nil` when there are none.
  init?(_ userInfo: [AnyHashable: Any]?) {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    self = userInfo.map { ModelDocument.UserInfoEntry(key: "\($0.key)", value: "\($0.value)") }
      .sorted { $0.key < $1.key }
  }
}

extension ModelDocument.Value {
  /// A value as a model file writes it.
  static func text(of value: Any, type: ModelDocument.AttributeType) -> String {
    switch value {
    case let url as URL: url.absoluteString
    case let number as NSNumber where type == .boolean: number.boolValue ? "YES" : "NO"
    case let number as NSNumber: number.stringValue
    default: "\(value)"
    }
  }
}

extension ModelDocument.FetchRequest {
  /// The request that the part describes.
  ///
  /// - Throws: `ModelFileError` with the line when the predicate does not parse.
  func makeRequest(in place: String) throws(ModelFileError) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity ?? "")
    if let predicateString, !predicateString.isEmpty {
      do throws(PredicateFormatError) {
        request.predicate = try NSPredicate(parsing: predicateString)
      } catch {
        throw ModelFileError(
          .corrupt,
          line: line.number,
          element: place,
          attribute: "predicateString",
          problem: "\"\(predicateString)\" is not a predicate: \(error)"
        )
      }
    }
    request.fetchLimit = fetchLimit ?? 0
    request.fetchBatchSize = fetchBatchSize ?? 0
    request.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: resultType ?? 0))
    // A missing setting has the default of a request made in code.
    request.includesSubentities = includesSubentities ?? true
    request.includesPropertyValues = includesPropertyValues ?? true
    request.includesPendingChanges = includesPendingChanges ?? true
    request.returnsObjectsAsFaults = returnsObjectsAsFaults ?? true
    return request
  }

  /// Makes the part of a document that describes a request.
  init(_ request: NSFetchRequest<NSFetchRequestResult>, name: String) {
    self.init(name: name, entity: request.entityName ?? "")
    predicateString = request.predicate.map { "\($0)" }
    fetchLimit = request.fetchLimit == 0 ? nil : request.fetchLimit
    fetchBatchSize = request.fetchBatchSize == 0 ? nil : request.fetchBatchSize
    resultType = request.resultType.rawValue == 0 ? nil : Int(request.resultType.rawValue)
    includesSubentities = request.includesSubentities ? nil : false
    includesPropertyValues = request.includesPropertyValues ? nil : false
    includesPendingChanges = request.includesPendingChanges ? nil : false
    returnsObjectsAsFaults = request.returnsObjectsAsFaults ? nil : false
  }
}
