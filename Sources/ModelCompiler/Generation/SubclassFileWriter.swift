/// Writes the sources that Xcode writes for an entity, with `@NSManaged` properties, for authors to
/// keep in their project.
///
/// The files have the form of Xcode's: the same names, types and Objective-C names.
struct SubclassFileWriter {
  let entity: EntityClass

  /// The file of the class itself, to which authors add their code.
  func classFile() -> SubclassFile {
    let name = "\(entity.name)+CoreDataClass.swift"
    let text = """
      //
      //  \(name)
      //

      import CoreData
      import Foundation

      @objc(\(entity.name))
      public class \(className): \(TypePrinter.identifier(entity.superclassName)) {

      }

      """
    return SubclassFile(name: name, text: text, isForAuthors: true)
  }

  /// The file of the model's properties, in an extension.
  func propertiesFile() -> SubclassFile {
    let name = "\(entity.name)+CoreDataProperties.swift"
    let head = """
      //
      //  \(name)
      //
      //  Generated from the entity \(entity.entityName); what is changed here is lost when it is generated again.
      //

      import CoreData
      import Foundation
      """
    let parts = [head, properties] + entity.toMany.map(accessors) + (isRoot ? [identifiable] : [])
    return SubclassFile(name: name, text: parts.joined(separator: "\n\n") + "\n", isForAuthors: false)
  }

  private var className: String { TypePrinter.identifier(entity.name) }

  /// True when the class does not inherit from another entity's class, and with it its conformance.
  private var isRoot: Bool { entity.superclassName == "NSManagedObject" }

  private var identifiable: String { "extension \(className): Identifiable {\n\n}" }

  private var properties: String {
    let lines = entity.properties.map { property in
      "    @NSManaged public var \(TypePrinter.identifier(property.name)): \(property.type)\n"
    }
    return """
      extension \(className) {

          @nonobjc public class func fetchRequest() -> NSFetchRequest<\(className)> {
              return NSFetchRequest<\(className)>(entityName: \(GeneratedExtension.literal(entity.entityName)))
          }

      \(lines.joined())
      }
      """
  }

  private func accessors(_ relationship: EntityClass.ToMany) -> String {
    let methods = (relationship.isOrdered ? orderedMethods(relationship) : []) + methods(relationship)
    let lines = methods.map { "    @objc(\($0.selector))\n    @NSManaged public func \($0.declaration)\n\n" }
    return """
      // MARK: Generated accessors for \(relationship.name)
      extension \(className) {

      \(lines.joined())}
      """
  }

  private typealias Method = (selector: String, declaration: String)

  private func methods(_ relationship: EntityClass.ToMany) -> [Method] {
    let name = AccessorKeys.capitalized(relationship.name)
    let object = TypePrinter.identifier(relationship.destination)
    let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    return [
      ("add\(name)Object:", "addTo\(name)(_ value: \(object))"),
      ("remove\(name)Object:", "removeFrom\(name)(_ value: \(object))"),
      ("add\(name):", "addTo\(name)(_ values: \(collection))"),
      ("remove\(name):", "removeFrom\(name)(_ values: \(collection))"),
    ]
  }

  private func orderedMethods(_ relationship: EntityClass.ToMany) -> [Method] {
    let name = AccessorKeys.capitalized(relationship.name)
    let object = TypePrinter.identifier(relationship.destination)
    return [
      ("insertObject:in\(name)AtIndex:", "insertInto\(name)(_ value: \(object), at idx: Int)"),
      ("removeObjectFrom\(name)AtIndex:", "removeFrom\(name)(at idx: Int)"),
      ("insert\(name):atIndexes:", "insertInto\(name)(_ values: [\(object)], at indexes: NSIndexSet)"),
      ("remove\(name)AtIndexes:", "removeFrom\(name)(at indexes: NSIndexSet)"),
      ("replaceObjectIn\(name)AtIndex:withObject:", "replace\(name)(at idx: Int, with value: \(object))"),
      ("replace\(name)AtIndexes:with\(name):", "replace\(name)(at indexes: NSIndexSet, with values: [\(object)])"),
    ]
  }
}
