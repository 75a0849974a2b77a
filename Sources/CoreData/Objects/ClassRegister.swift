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
    KeyPathRecorder.install
    models.withLock { models in
      models.removeAll { $0.model == nil }
      models.append(WeakModel(model: model))
    }
  }

  /// The class that an entity names; `NSManagedObject` where there is none of that name.
  static func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    namedClass(entity.className, NSManagedObject.self) ?? NSManagedObject.self
  }

  /// The class of a name as models and mapping models have it; `nil` where there is none under a superclass.
  static func namedClass<Superclass: AnyObject>(_ name: String, _: Superclass.Type) -> Superclass.Type? {
    candidates(for: name).lazy.compactMap { NSClassFromString($0) as? Superclass.Type }.first
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
      entity.layout.objectClass == NSManagedObject.self && lastComponent(of: entity.className) == name
    }
    guard let entity = named else { return nil }
    entity.layout.objectClass = objectClass
    return entity
  }

  /// The names that a class may go by: as it stands, and in the modules that can be known.
  private static func candidates(for className: String) -> [String] {
    let name = className.hasPrefix(".") ? String(className.dropFirst()) : className
    guard !name.isEmpty else { return [] }
    if name.contains(".") { return [name] }
    return [name] + modules.map { "\($0).\(name)" }
  }

  private static func lastComponent(of className: String) -> Substring {
    className.split(separator: ".").last ?? ""
  }

  /// The program's own module, and the modules whose resources lie beside it.
  private static let modules: [String] = {
    let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent ?? ""
    let folder = Bundle.main.bundleURL
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let targets = names.filter { $0.hasSuffix(".resources") }.compactMap { name in
      name.dropLast(".resources".count).split(separator: "_", maxSplits: 1).last.map(String.init)
    }
    return ([program] + targets.sorted()).map { $0.replacingOccurrences(of: "-", with: "_") }
  }()
}
