extension ModelComparison {
  mutating func compareProperties(_ former: ModelDocument.Entity, entity: ModelDocument.Entity) {
    let formerProperties = old.properties(of: former)
    let properties = new.properties(of: entity)
    let names = correspondence.properties(of: entity.name)
    let own = properties.filter { $0.owner == entity.name }
    for property in own.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) }) {
      let subject = "entity \(entity.name), \(property.title)"
      let place = ModelDifference.Place(entity: entity.name, property: property.name)
      let match = names[property.name].flatMap { name in formerProperties.first { $0.name == name } }
      guard let match else {
        report(subject, change: "added", condition: condition(adding: property), place: place)
        continue
      }
      if match.name != property.name { report(subject, change: "renamed from \(match.name)") }
      if match.owner != former.name { report(subject, change: "moved here from entity \(match.owner)") }
      compare(match, property: property, subject: subject, place: place)
    }
    let matched = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let removed = formerProperties.filter { $0.owner == former.name }
    for property in removed.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) }) {
      let subject = "entity \(entity.name), \(property.title)"
      guard let name = matched[property.name] else {
        report(subject, change: "removed")
        continue
      }
      if let owner = properties.first(where: { $0.name == name })?.owner, owner != entity.name {
        report(subject, change: "moved to entity \(owner)")
      }
    }
  }

  /// The condition on which a property can be added, that no object is there already which would
  /// lack it; `nil` when it can be added whatever objects there are.
  private func condition(adding property: ModelHierarchy.Property) -> String? {
    switch property.kind {
    case .attribute(let attribute):
      attribute.isTransient || attribute.isOptional || attribute.isDerived || hasDefault(attribute)
        ? nil : "objects that are there already would lack a required value; give it a default"
    case .relationship(let relationship):
      relationship.isTransient || relationship.isOptional
        ? nil : "objects that are there already would lack a required destination; make it optional"
    case .fetched: nil
    }
  }

  private func hasDefault(_ attribute: ModelDocument.Attribute) -> Bool {
    attribute.defaultValueString != nil || attribute.defaultDateTimeInterval != nil
  }

  private mutating func compare(
    _ former: ModelHierarchy.Property,
    property: ModelHierarchy.Property,
    subject: String,
    place: ModelDifference.Place
  ) {
    switch (former.kind, property.kind) {
    case (.attribute(let before), .attribute(let after)):
      compare(before, attribute: after, subject: subject, place: place)
    case (.relationship(let before), .relationship(let after)):
      compare(before, relationship: after, subject: subject, place: place)
    case (.fetched(let before), .fetched(let after)):
      let texts = [before, after].map { ContentsPrinter.print($0.contentsElement) }
      if texts[0] != texts[1] { report(subject, change: "changed") }
    // Properties are matched with properties of their own kind.
    default: break
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Attribute,
    attribute: ModelDocument.Attribute,
    subject: String,
    place: ModelDifference.Place
  ) {
    var obstacles: [String: String] = [:]
    var conditions: [String: String] = [:]
    let isStored = !former.isTransient && !attribute.isTransient
    let types = (former.type ?? .undefined, attribute.type ?? .undefined)
    if isStored, types.0 != types.1, !(types.0.isNumber && types.1.isNumber) {
      obstacles["attributeType"] = "values of one type cannot become those of another by themselves"
    }
    let lacksValue = "objects that have no value would lack a required one; give it a default"
    if !attribute.isTransient, !attribute.isOptional, !attribute.isDerived, !hasDefault(attribute) {
      if former.isOptional { conditions["optional"] = lacksValue }
      if former.isTransient { conditions["transient"] = lacksValue }
    }
    reportFields(
      subject,
      former: former,
      part: attribute,
      except: ["name", "elementID"],
      obstacles: obstacles,
      conditions: conditions,
      place: place
    )
    if isStored, types.0 == .composite, types.1 == .composite {
      compareElements(former.composite, composite: attribute.composite, subject: subject, place: place)
    }
    if former.validations != attribute.validations { report(subject, change: "validation changed") }
    if userInfo(former.userInfo) != userInfo(attribute.userInfo) { report(subject, change: "userInfo changed") }
  }

  /// Finds elements of composite attributes whose values cannot be kept.
  private mutating func compareElements(
    _ former: String?,
    composite: String?,
    subject: String,
    place: ModelDifference.Place
  ) {
    let before = old.document.composites.first { $0.name == former }?.attributes ?? []
    let after = new.document.composites.first { $0.name == composite }?.attributes ?? []
    for (element, match) in ModelDocument.Attribute.matches(of: after, in: before) {
      guard let match else { continue }
      let types = (match.type ?? .undefined, element.type ?? .undefined)
      if types.0 == .composite, types.1 == .composite {
        compareElements(
          match.composite,
          composite: element.composite,
          subject: "\(subject).\(element.name)",
          place: place
        )
      } else if types.0 != types.1, !(types.0.isNumber && types.1.isNumber) {
        report(
          "\(subject).\(element.name)",
          change: "attributeType: \(types.0.rawValue) -> \(types.1.rawValue)",
          obstacle: "values of one type cannot become those of another by themselves",
          place: place,
          values: .init(field: "attributeType", before: types.0.rawValue, after: types.1.rawValue)
        )
      }
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Relationship,
    relationship: ModelDocument.Relationship,
    subject: String,
    place: ModelDifference.Place
  ) {
    var obstacles: [String: String] = [:]
    var conditions: [String: String] = [:]
    if !relationship.isTransient {
      if !former.isTransient, former.isToMany, !relationship.isToMany {
        obstacles["toMany"] = "of several destinations all but one would be lost"
      }
      if !former.isTransient, !isSame(former.destinationEntity, name: relationship.destinationEntity) {
        obstacles["destinationEntity"] = "the destinations that there are would not be of the new entity"
      }
      let lacksDestination = "objects that have no destination would lack a required one"
      if !relationship.isOptional {
        if former.isOptional { conditions["optional"] = lacksDestination }
        if former.isTransient { conditions["transient"] = lacksDestination }
      }
    }
    // An entity that has been renamed is still the same one.
    var former = former
    if let name = relationship.destinationEntity, oldNames[name] == former.destinationEntity {
      former.destinationEntity = name
    }
    if let name = relationship.inverseEntity, oldNames[name] == former.inverseEntity {
      former.inverseEntity = name
    }
    former.maxCount = former.effectiveMaxCount
    former.minCount = former.effectiveMinCount
    var relationship = relationship
    relationship.maxCount = relationship.effectiveMaxCount
    relationship.minCount = relationship.effectiveMinCount
    reportFields(
      subject,
      former: former,
      part: relationship,
      except: ["name", "elementID"],
      obstacles: obstacles,
      conditions: conditions,
      place: place
    )
    if userInfo(former.userInfo) != userInfo(relationship.userInfo) { report(subject, change: "userInfo changed") }
  }

  /// Returns true when all objects of an older entity are of a newer one.
  private func isSame(_ former: String?, name: String?) -> Bool {
    guard let former, let name else { return former == name }
    guard let current = oldNames.first(where: { $0.value == former })?.key else { return false }
    return new.lineage(of: current).contains(name)
  }
}

extension ModelDocument.AttributeType {
  /// True when the values are numbers.
  fileprivate var isNumber: Bool { AttributeKind(self).storage.isNumber }
}
