import Foundation
import Logging
import Synchronization

/// Finds the Swift class of an entity, and the entity of a Swift class.
enum ClassRegister {
  private struct WeakModel {
    weak var model: NSManagedObjectModel?
  }

  private static let models = Mutex<[WeakModel]>([])

  /// Makes a model the latest in use, for ``NSManagedObject/entity()``. It is called when the model
  /// is used first, and whenever a store is opened with it, so that models of other versions, which
  /// a migration used, do not take precedence over the open one.
  static func add(_ model: NSManagedObjectModel) {
    models.withLock { models in
      models.removeAll { $0.model == nil || $0.model === model }
      models.append(WeakModel(model: model))
    }
  }

  /// The class that an entity names; `NSManagedObject` where there is none of that name.
  static func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    if entity.className == "NSManagedObject" { return NSManagedObject.self }
    return subclass(of: NSManagedObject.self, named: entity.className, by: entity.model)
      ?? NSManagedObject.self
  }

  /// The class under another that models or mapping models name; `nil` where there is none.
  ///
  /// A class name without a module is searched in the module of the target whose resources contain the model, in the
  /// program's own module, and then in all other modules. If several modules have a class with that name, the first one
  /// is taken, and an error is logged, because the model may mean another one.
  ///
  /// - Parameter model: the model that names the class, or is migrated to.
  static func subclass<Superclass: AnyObject>(
    of superclass: Superclass.Type,
    named className: String,
    by model: NSManagedObjectModel? = nil
  ) -> Superclass.Type? {
    let name = className.hasPrefix(".") ? String(className.dropFirst()) : className
    if name.isEmpty { return nil }
    let modules = name.contains(".") ? [] : Self.modules(of: model) + [mainModule]
    for qualified in name.contains(".") ? [name] : modules.map({ "\($0).\(name)" }) {
      if let found = NSClassFromString(qualified) as? Superclass.Type { return found }
    }
    let classes = LoadedClasses.classes(under: superclass, named: name)
    // Classes that are nested, or private to a file.
    for module in modules {
      if let found = classes.first(where: { $0.path.first == module }) { return found.type }
    }
    if classes.count > 1 {
      AmbiguousClassLog.log(name, classes: classes.map { $0.path.joined(separator: ".") })
    }
    return classes.first?.type
  }

  /// The modules of the targets whose resources a model was read from.
  private static func modules(of model: NSManagedObjectModel?) -> [String] {
    (model?.packages ?? []).compactMap { ResourceFolders.module(ofFile: $0, among: LoadedClasses.modules) }
  }

  /// The entity of a class among all models in use, the latest first. An entity with exactly this
  /// class in any model is preferred to an entity that only has the class's name.
  static func knownEntity(of objectClass: NSManagedObject.Type) -> NSEntityDescription? {
    entity(of: objectClass, in: models.withLock { $0.compactMap(\.model) }.reversed())
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

  /// The entity of an object that is made without a context: its class's, or one without properties
  /// that has the class's name, where no model in use knows the class.
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

  /// The entity of a class in one model: the entity that names the class, or has its name.
  static func entity(of objectClass: NSManagedObject.Type, in model: NSManagedObjectModel) -> NSEntityDescription? {
    entity(of: objectClass, in: [model])
  }

  private static func entity(
    of objectClass: NSManagedObject.Type,
    in models: [NSManagedObjectModel]
  ) -> NSEntityDescription? {
    for model in models {
      if let entity = model.numberedEntities.first(where: { $0.layout.objectClass == objectClass }) {
        return entity
      }
    }
    let name = String(describing: objectClass)
    let module = String(reflecting: objectClass).prefix { $0 != "." }
    for fit in NameFit.allCases {
      for model in models {
        let named = model.numberedEntities.first { entity in
          lastComponent(of: entity.className) == name && self.fit(of: entity, module: module) == fit
        }
        guard let named else { continue }
        named.layout.objectClass = objectClass
        return named
      }
    }
    return nil
  }

  /// The ways in which an entity with the name of a class fits that class, the best first.
  private enum NameFit: CaseIterable {
    /// It names the class's module, or none, and no class was found for it.
    case unclaimed
    /// It names no module, and another class of the name was found.
    case claimed
    /// It names a module in which there is no such class, as a model does whose module is called otherwise here.
    case ofNoModule
  }

  /// - Returns: `nil` for an entity of another module's class.
  private static func fit(of entity: NSEntityDescription, module: Substring) -> NameFit? {
    let isUnclaimed = entity.layout.objectClass == NSManagedObject.self
    let named = entity.className.split(separator: ".")
    if named.count < 2 || entity.className.hasPrefix(".") { return isUnclaimed ? .unclaimed : .claimed }
    guard isUnclaimed else { return nil }
    return named.first == module ? .unclaimed : .ofNoModule
  }

  private static func lastComponent(of className: String) -> Substring {
    className.split(separator: ".").last ?? ""
  }

  /// The program's own module.
  private static let mainModule = (Bundle.main.executableURL?.deletingPathExtension().lastPathComponent ?? "")
    .replacingOccurrences(of: "-", with: "_")
}

/// Logs names of classes that several modules have, each once.
private enum AmbiguousClassLog {
  private static let logged = Mutex<Set<String>>([])

  static func log(_ name: String, classes: [String]) {
    guard logged.withLock({ $0.insert(name).inserted }) else { return }
    // The logger is made each time, so that it uses the program's log handler even if the program
    // sets up its logging later.
    Logger(label: "CoreData").error(
      """
      the program has several classes \(name): \(classes.joined(separator: ", ")). \(classes[0]) is taken; where the \
      model names the class, write its module too (\(classes[0])).
      """
    )
  }
}
