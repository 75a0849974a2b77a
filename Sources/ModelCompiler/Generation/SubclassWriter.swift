/// Writes the classes and extensions that Xcode generates for entities, with complete accessors.
struct SubclassWriter {
  let entity: EntityClass
  /// The file of the model, to which the compiler's messages refer.
  let file: String
  /// True when each part states the line of its property in the model.
  let namesLines: Bool
  /// True when no actor can isolate the class, so that the code says `nonisolated`. Without the word it would belong to the main
  /// actor in a module whose default isolation that is, and the compiler refuses such a subclass of `NSManagedObject`.
  let isNonisolated: Bool
  /// The `@available` attributes of the class that an author writes. Its extensions repeat them, so that they can name a
  /// deprecated class without a warning.
  let availability: [String]

  /// The complete class. Its properties are in its body, so that subclasses can override them.
  func classText() -> String {
    let head = "public \(isolation)class \(name): \(TypePrinter.identifier(entity.superclassName)) {"
    return ([located(entity.line, lines: [head])] + members(access: "public ") + ["}"]).joined(separator: "\n")
  }

  /// The properties, in an extension of a class that an author writes.
  ///
  /// - Parameter access: the access of the class.
  func extensionText(access: AccessLevel) -> String {
    let word = access >= .public ? "public " : ""
    return ([located(entity.line, lines: ["\(extensionHead) {"])] + members(access: word) + ["}"]).joined(
      separator: "\n"
    )
  }

  /// The conformance that Xcode generates. Without an attribute `id`, the object's identity is the ID.
  func identifiableText() -> String { "\(extensionHead): Identifiable {}" }

  private var extensionHead: String { (availability + ["\(isolation)extension \(name)"]).joined(separator: " ") }

  private var isolation: String { isNonisolated ? "nonisolated " : "" }

  private var name: String { TypePrinter.identifier(entity.name) }

  private func members(access: String) -> [String] {
    let entityName = GeneratedExtension.literal(entity.entityName)
    let fetchRequest = [
      "  \(access)class func fetchRequest() -> NSFetchRequest<\(name)> {",
      "    NSFetchRequest<\(name)>(entityName: \(entityName))",
      "  }",
    ]
    return [fetchRequest.joined(separator: "\n")]
      + entity.properties.map { located($0.line, lines: property($0, access: access)) }
      + entity.toMany.map { located($0.line, lines: methods($0, access: access)) }
      + (namesLines ? ["#sourceLocation()"] : [])
  }

  private func located(_ line: Int, lines: [String]) -> String {
    if !namesLines { return lines.joined(separator: "\n") }
    let location = "#sourceLocation(file: \(GeneratedExtension.literal(file)), line: \(line))"
    return lines.map { "\(location)\n\($0)" }.joined(separator: "\n")
  }

  private func property(_ property: EntityClass.Property, access: String) -> [String] {
    let key = GeneratedExtension.literal(property.name)
    let head = "  \(access)var \(TypePrinter.identifier(property.name)): \(property.type)"
    switch property.access {
    case .managed:
      return ["\(head) { get { managedValue(\(key)) } set { setManagedValue(newValue, \(key)) } }"]
    case .fetched:
      return ["\(head) { value(forKey: \(key)) as? \(property.type.dropLast()) }"]
    }
  }

  private func methods(_ relationship: EntityClass.ToMany, access: String) -> [String] {
    let key = GeneratedExtension.literal(relationship.name)
    let name = AccessorKeys.capitalized(relationship.name)
    let object = TypePrinter.identifier(relationship.destination)
    let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    var methods = [
      "addTo\(name)(_ value: \(object)) { addManagedValue(value, \(key)) }",
      "removeFrom\(name)(_ value: \(object)) { removeManagedValue(value, \(key)) }",
      "addTo\(name)(_ values: \(collection)) { addManagedValues(values, \(key)) }",
      "removeFrom\(name)(_ values: \(collection)) { removeManagedValues(values, \(key)) }",
    ]
    if relationship.isOrdered {
      methods += [
        "insertInto\(name)(_ value: \(object), at idx: Int) { insertManagedValue(value, at: idx, \(key)) }",
        "removeFrom\(name)(at idx: Int) { removeManagedValue(at: idx, \(key)) }",
        "insertInto\(name)(_ values: [\(object)], at indexes: NSIndexSet) "
          + "{ insertManagedValues(values, at: indexes, \(key)) }",
        "removeFrom\(name)(at indexes: NSIndexSet) { removeManagedValues(at: indexes, \(key)) }",
        "replace\(name)(at idx: Int, with value: \(object)) "
          + "{ replaceManagedValue(at: idx, with: value, \(key)) }",
        "replace\(name)(at indexes: NSIndexSet, with values: [\(object)]) "
          + "{ replaceManagedValues(at: indexes, with: values, \(key)) }",
      ]
    }
    return methods.map { "  \(access)func \($0)" }
  }
}
