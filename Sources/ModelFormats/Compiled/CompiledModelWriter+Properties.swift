import PropertyLists

extension CompiledModelWriter {
  /// The fields that all kinds of properties have.
  private struct Common {
    let name: String
    let entity: Int
    var isOptional = false
    var isTransient = false
    var isReadOnly = false
    var isOrdered = false
    var isIndexed = false
    var isIndexedBySpotlight = false
    var hasValidation = false
    var userInfo: [ModelDocument.UserInfoEntry] = []
    var modifier: String?
    var renaming: String?

    /// The flags that archives have a second time as bits, as far as they are known from archives.
    var bits: Int64 {
      1 | (isOptional ? 2 : 0) | (isReadOnly ? 4 : 0) | (isTransient ? 8 : 0) | (hasValidation ? 0 : 0x30)
        | (userInfo.isEmpty ? 0x40 : 0) | (modifier == nil ? 0x80 : 0) | (isOrdered ? 0x400 : 0)
    }
  }

  private mutating func fields(_ common: Common) -> [KeyedArchiveWriter.Field] {
    var fields: [KeyedArchiveWriter.Field] = [
      ("NSPropertyName", .uid(archive.string(common.name))),
      ("NSEntity", .uid(common.entity)),
      ("NSRenamingIdentifier", .uid(archive.string(common.renaming ?? common.name))),
      ("_P", .integer(common.bits)),
    ]
    for (key, isSet) in [
      ("NSIsOptional", common.isOptional), ("NSIsTransient", common.isTransient),
      ("NSIsReadOnly", common.isReadOnly), ("NSIsIndexed", common.isIndexed),
      ("NSIndexedBySpotlight", common.isIndexedBySpotlight),
    ] where isSet { fields.append((key, .boolean(true))) }
    if !common.userInfo.isEmpty { fields.append(("NSUserInfo", .uid(userInfo(common.userInfo)))) }
    if let modifier = common.modifier { fields.append(("NSVersionHashModifier", .uid(archive.string(modifier)))) }
    return fields
  }

  /// - Throws: `ModelFileError` if a default or a bound is not a value of the attribute's type.
  mutating func add(_ attribute: ModelDocument.Attribute, entity: Int) throws(ModelFileError) -> Int {
    var details = ArchivedDetails(
      part: attribute,
      names: ["usesScalarValueType", "syncable", "storedInTruthFile", "allowsCloudEncryption", "composite"]
    )
    let validation = try validation(of: attribute, details: &details)
    var common = Common(name: attribute.name, entity: entity)
    common.isOptional = attribute.isOptional
    common.isTransient = attribute.isTransient
    common.isReadOnly = attribute.isDerived
    common.isIndexed = attribute.isIndexed
    common.isIndexedBySpotlight = attribute.isIndexedBySpotlight
    common.hasValidation = !validation.isEmpty
    common.userInfo = attribute.userInfo ?? []
    common.modifier = attribute.versionHashModifier
    common.renaming = attribute.elementID
    var fields = fields(common) + validation
    let type = attribute.type ?? .undefined
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    fields += [
      ("NSAttributeType", .integer(Int64(type.number))),
      ("NSAttributeValueClassName", .uid(archive.string(valueClassName(of: attribute)))),
      ("NSDefaultValue", .uid(defaultValue(of: attribute, details: &details))),
      ("NSValueTransformerName", .uid(archive.string(attribute.valueTransformerName))),
      ("NSFlagsKey", .integer(Int64(flags))),
    ]
    if type != .transformable { details.append("customClassName", text: attribute.customClassName) }
    var archivedClass = ArchivedClass.attribute
    if attribute.isDerived {
      archivedClass = .derivedAttribute
      let text = attribute.derivationExpression ?? ""
      if attribute.derivationExpression != nil, !FormatArchiver.isReproduced(expression: text) {
        details.append("derivationExpression", text: text)
      }
      let expression = FormatArchiver.expression(text, in: &archive) ?? 0
      fields += [("NSDerivationExpression", .uid(expression)), ("NSFilteringPredicate", .uid(0))]
    } else {
      details.append("derivationExpression", text: attribute.derivationExpression)
    }
    if type == .composite {
      if !attribute.isDerived { archivedClass = .compositeAttribute }
      let composite = attribute.composite.flatMap { compositesByName[$0] }
      var elements: [Int] = []
      for element in composite?.attributes ?? [] { elements.append(try add(element, entity: 0)) }
      fields.append(("NSCompositeElements", .uid(archive.collection(.array, uids: elements))))
    }
    return archive.object(archivedClass, fields: fields + details.fields(in: &archive))
  }

  private func valueClassName(of attribute: ModelDocument.Attribute) -> String? {
    let type = attribute.type ?? .undefined
    guard type == .transformable else { return AttributeKind(type).valueClass }
    return attribute.customClassName.map { $0.isEmpty ? $0 : className($0) }
  }

  private mutating func defaultValue(of attribute: ModelDocument.Attribute, details: inout ArchivedDetails) -> Int {
    let type = attribute.type ?? .undefined
    let value = attribute.defaultValue()
    if case .date? = value {
      details.append("defaultValueString", text: attribute.defaultValueString)
    } else {
      if value?.text(for: type) != attribute.defaultValueString {
        details.append("defaultValueString", text: attribute.defaultValueString)
      }
      if attribute.defaultDateTimeInterval != nil {
        details.append("defaultDateTimeInterval", text: Self.text(of: "defaultDateTimeInterval", attribute: attribute))
      }
    }
    return archive.value(value)
  }

  /// The text of an XML attribute.
  static func text(of name: String, attribute: ModelDocument.Attribute) -> String? {
    ModelDocument.Attribute.fields.first { $0.name == name }?.write(attribute)
  }

  mutating func define(_ relationship: ModelDocument.Relationship, as uid: Int, entity: Int) {
    var common = Common(name: relationship.name, entity: entity)
    common.isOptional = relationship.isOptional
    common.isTransient = relationship.isTransient
    common.isOrdered = relationship.isOrdered
    common.isIndexed = relationship.isIndexed
    common.isIndexedBySpotlight = relationship.isIndexedBySpotlight
    common.userInfo = relationship.userInfo ?? []
    common.modifier = relationship.versionHashModifier
    common.renaming = relationship.elementID
    let destination = relationship.destinationEntity
    var fields = fields(common)
    fields += [
      ("NSDestinationEntity", .uid(destination.flatMap { entities[$0] } ?? 0)),
      ("_NSDestinationEntityName", .uid(archive.string(destination))),
      ("NSInverseRelationship", .uid(inverse(of: relationship))),
      ("_NSInverseRelationshipName", .uid(archive.string(relationship.inverseName))),
      ("NSMinCount", .integer(Int64(relationship.effectiveMinCount))),
      ("NSMaxCount", .integer(Int64(relationship.effectiveMaxCount))),
      ("NSDeleteRule", .integer(Int64((relationship.deletionRule ?? .nullify).number))),
    ]
    if relationship.isOrdered { fields.append(("NSIsOrdered", .boolean(true))) }
    var details = ArchivedDetails(part: relationship, names: ["syncable", "storedInTruthFile"])
    if relationship.isToMany != (relationship.effectiveMaxCount != 1) {
      details.append("toMany", text: relationship.isToMany ? "YES" : "NO")
    }
    let implied = relationship.inverseName == nil ? nil : destination
    if relationship.inverseEntity != implied { details.append("inverseEntity", text: relationship.inverseEntity) }
    archive.define(uid, type: .relationship, fields: fields + details.fields(in: &archive))
  }

  /// The number of the inverse relationship, which the destination may inherit.
  private func inverse(of relationship: ModelDocument.Relationship) -> Int {
    guard let name = relationship.inverseName else { return 0 }
    var current = relationship.destinationEntity
    var seen: Set<String> = []
    while let entity = current, seen.insert(entity).inserted {
      if let uid = relationships[entity]?[name] { return uid }
      current = entitiesByName[entity]?.parentEntity
    }
    return 0
  }

  mutating func add(_ property: ModelDocument.FetchedProperty, entity: Int) -> Int {
    var common = Common(name: property.name, entity: entity)
    common.isOptional = property.isOptional
    common.isTransient = true
    common.isReadOnly = true
    common.userInfo = property.userInfo ?? []
    common.modifier = property.versionHashModifier
    common.renaming = property.elementID
    var fields = fields(common)
    let request = property.fetchRequest.map { add($0, defaultName: "fetchedPropertyFetchRequest") } ?? 0
    fields += [
      ("NSFetchRequest", .uid(request)),
      ("_NSFetchRequestEntityName", .uid(archive.string(property.fetchRequest?.entity))),
    ]
    var details = ArchivedDetails(part: property, names: ["syncable"])
    details.append("transient", text: property.isTransient ? nil : "NO")
    return archive.object(.fetchedProperty, fields: fields + details.fields(in: &archive))
  }
}
