import ModelFormats

/// The class of an entity as Xcode generates it, with the names and types of its properties.
struct EntityClass {
  /// A property of the class.
  struct Property: Hashable {
    var name: String
    var type: String
    /// True when the type is the class of another entity.
    var isToOne = false
    /// The line of the model file that declares it.
    var line: Int
    /// The kind of accessors of the property.
    var access: PropertyAccess
  }

  enum PropertyAccess: Hashable {
    /// An attribute or a relationship.
    case managed
    /// A fetched property, which cannot be set.
    case fetched
  }

  /// A to-many relationship for which accessors are generated.
  struct ToMany: Hashable {
    var name: String
    var destination: String
    var isOrdered: Bool
    var line: Int
  }

  let name: String
  let entityName: String
  let superclassName: String
  /// True when the model names the module of the class: `.Note` or `Module.Note`.
  let namesModule: Bool
  let line: Int
  let properties: [Property]
  let toMany: [ToMany]

  /// The class of an entity; `nil` when the entity does not have its own class in the module.
  init?(_ entity: ModelDocument.Entity, in document: ModelDocument, module: String) {
    guard let name = Self.className(of: entity, module: module) else { return nil }
    self.name = name
    entityName = entity.name
    line = entity.line.number ?? 1
    namesModule = entity.representedClassName?.contains(".") == true
    superclassName =
      entity.parentEntity.flatMap(document.entity(named:)).map(Self.anyClassName) ?? "NSManagedObject"
    properties =
      entity.attributes.map(Self.property)
      + entity.relationships.map { Self.property($0, document: document) }
      + entity.fetchedProperties.map { Self.property($0, document: document) }
    toMany = entity.relationships.filter(\.isToMany).map { relationship in
      ToMany(
        name: relationship.name,
        destination: Self.destination(of: relationship.destinationEntity, document: document),
        isOrdered: relationship.isOrdered,
        line: relationship.line.number ?? 1
      )
    }
  }

  /// The name of an entity's class if the class belongs to the module: `Note`, `.Note` or `Module.Note` in the model.
  static func className(of entity: ModelDocument.Entity, module: String) -> String? {
    guard let written = entity.representedClassName, !written.isEmpty else { return nil }
    let parts = written.split(separator: ".").map(String.init)
    guard let name = parts.last, parts.count == 1 || parts[0] == module, name != "NSManagedObject" else { return nil }
    return name
  }

  private static func anyClassName(_ entity: ModelDocument.Entity) -> String {
    let name = entity.representedClassName?.split(separator: ".").last.map(String.init) ?? ""
    return name.isEmpty ? "NSManagedObject" : name
  }

  private static func destination(of name: String?, document: ModelDocument) -> String {
    name.flatMap(document.entity(named:)).map(anyClassName) ?? "NSManagedObject"
  }

  // MARK: - Properties

  private static func property(_ attribute: ModelDocument.Attribute) -> Property {
    Property(
      name: attribute.name,
      type: type(of: attribute),
      line: attribute.line.number ?? 1,
      access: .managed
    )
  }

  private static func property(_ relationship: ModelDocument.Relationship, document: ModelDocument) -> Property {
    let toMany = relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
    let toOne =
      "\(TypePrinter.identifier(destination(of: relationship.destinationEntity, document: document)))?"
    return Property(
      name: relationship.name,
      type: relationship.isToMany ? toMany : toOne,
      isToOne: !relationship.isToMany,
      line: relationship.line.number ?? 1,
      access: .managed
    )
  }

  private static func property(_ fetched: ModelDocument.FetchedProperty, document: ModelDocument) -> Property {
    Property(
      name: fetched.name,
      type: "[\(TypePrinter.identifier(destination(of: fetched.fetchRequest?.entity, document: document)))]?",
      line: fetched.line.number ?? 1,
      access: .fetched
    )
  }

  /// The type of the property that Xcode generates for an attribute.
  private static func type(of attribute: ModelDocument.Attribute) -> String {
    let kind = AttributeKind(attribute.type ?? .undefined)
    if attribute.usesScalarValueType == true, let scalar = kind.scalarType { return scalar }
    return kind.swiftType ?? "\(attribute.customClassName.flatMap { $0.isEmpty ? nil : $0 } ?? "NSObject")?"
  }
}
