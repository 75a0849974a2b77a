import Foundation
import Synchronization

/// Which Swift class stands for which entity.
enum ClassRegister {
  private struct WeakModel {
    weak var model: NSManagedObjectModel?
  }

  private static let models = Mutex<[WeakModel]>([])

  /// Takes note of a model that is in use, for ``NSManagedObject/entity()``.
  static func add(_ model: NSManagedObjectModel) {
    models.withLock { models in
      models.removeAll { $0.model == nil }
      models.append(WeakModel(model: model))
    }
  }

  /// The class that an entity names; `NSManagedObject` where there is none of that name.
  ///
  /// A name without a module is looked for in the program's own module first, and then in all others.
  static func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    if entity.className == "NSManagedObject" { return NSManagedObject.self }
    return subclass(of: NSManagedObject.self, named: entity.className) ?? NSManagedObject.self
  }

  /// The class under another that models or mapping models name; `nil` where there is none.
  static func subclass<Superclass: AnyObject>(
    of superclass: Superclass.Type,
    named className: String
  ) -> Superclass.Type? {
    let name = className.hasPrefix(".") ? String(className.dropFirst()) : className
    if name.isEmpty { return nil }
    let found: AnyClass? = NSClassFromString(name.contains(".") ? name : "\(mainModule).\(name)")
    return found as? Superclass.Type ?? LoadedClasses.subclass(of: superclass, named: name)
  }

  /// The entity of a class among all models in use, the latest first.
  static func knownEntity(of objectClass: NSManagedObject.Type) -> NSEntityDescription? {
    let models = models.withLock { $0.compactMap(\.model) }
    return models.reversed().lazy.compactMap { entity(of: objectClass, in: $0) }.first
  }

  /// The entity of a class among all models in use; there must be one.
  static func entity(of objectClass: NSManagedObject.Type) -> NSEntityDescription {
    if let entity = knownEntity(of: objectClass) { return entity }
    fatalError(
      """
      no model in use has an entity for the class \(objectClass); make the persistent container first, and set \
      the entity's class to \(objectClass).
      """
    )
  }

  /// The entity of an object that is made without a context: its class's, or one without properties that has the class's
  /// name, where no model in use knows the class.
  static func entityOfNewObject(of objectClass: NSManagedObject.Type) -> NSEntityDescription {
    if objectClass != NSManagedObject.self, let entity = knownEntity(of: objectClass) { return entity }
    return unmodelled.withLock { entities in
      if let entity = entities[ObjectIdentifier(objectClass)]?.entities.first { return entity }
      let entity = NSEntityDescription()
      entity.name = String(describing: objectClass)
      let model = NSManagedObjectModel()
      model.entities = [entity]
      entities[ObjectIdentifier(objectClass)] = model
      return entity
    }
  }

  /// The models of classes that no other model knows.
  private static let unmodelled = Mutex<[ObjectIdentifier: NSManagedObjectModel]>([:])

  /// The entity of a class in one model: the one that names the class, or has its name.
  static func entity(
    of objectClass: NSManagedObject.Type,
    in model: NSManagedObjectModel
  ) -> NSEntityDescription? {
    if let entity = model.numberedEntities.first(where: { $0.layout.objectClass == objectClass }) {
      return entity
    }
    let name = String(describing: objectClass)
    let named = model.numberedEntities.first { entity in
      lastComponent(of: entity.className) == name
        && (entity.layout.objectClass == NSManagedObject.self || !namesModule(entity.className))
    }
    guard let entity = named else { return nil }
    entity.layout.objectClass = objectClass
    return entity
  }

  /// Whether a class name leaves no doubt which of several classes with that name is meant.
  private static func namesModule(_ className: String) -> Bool { className.dropFirst().contains(".") }

  private static func lastComponent(of className: String) -> Substring {
    className.split(separator: ".").last ?? ""
  }

  /// The program's own module.
  private static let mainModule = (Bundle.main.executableURL?.deletingPathExtension().lastPathComponent ?? "")
    .replacingOccurrences(of: "-", with: "_")
}
