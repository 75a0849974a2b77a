#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// The objects of a store as texts: their values, and the objects that they refer to. Primary keys are left out.
  struct StoreContents {
    /// The sorted texts of the objects, by the entity's name in the newer version.
    let objects: [String: [String]]

    var count: Int { objects.values.reduce(0) { $0 + $1.count } }

    init(objects: [String: [String]]) { self.objects = objects }

    /// Reads a SQLite store.
    init(of url: URL, model: NSManagedObjectModel, view: ContentView) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: url,
        options: [NSReadOnlyPersistentStoreOption: true]
      )
      defer { try? coordinator.remove(store) }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      objects = try context.performAndWait { try Self.read(view, in: context) }
    }

    /// The differences from the contents before a migration: a line for each entity that differs.
    func differences(from before: StoreContents) -> [(entity: String, words: String)] {
      before.objects.keys.sorted().compactMap { entity in
        let (old, new) = (before.objects[entity] ?? [], objects[entity] ?? [])
        if old == new { return nil }
        if old.count != new.count { return (entity, "\(old.count) objects became \(new.count)") }
        let changed = zip(old, new).count { $0 != $1 }
        return (entity, "of \(old.count) objects \(changed) have other values or destinations")
      }
    }

    private static func read(_ view: ContentView, in context: NSManagedObjectContext) throws -> [String:
      [String]]
    {
      var rows: [(kind: ContentView.Kind, objects: [NSManagedObject])] = []
      var values: [NSManagedObjectID: String] = [:]
      for kind in view.kinds {
        let request = NSFetchRequest<NSManagedObject>(entityName: kind.entity)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        for object in objects {
          let texts = kind.attributes.map { "\($0.key)=\(text(object.value(forKey: $0.name)))" }
          values[object.objectID] = "\(kind.key){\(texts.joined(separator: ";"))}"
        }
        rows.append((kind, objects))
      }
      let found = rows.map { kind, objects in
        let texts = objects.map { object in
          let links = kind.links.map {
            "\($0.key)=[\(destinations(object, link: $0, values: values).joined(separator: ","))]"
          }
          return ([values[object.objectID] ?? ""] + links).joined(separator: " ")
        }
        return (kind.key, texts.sorted())
      }
      return Dictionary(found) { first, _ in first }
    }

    private static func destinations(
      _ object: NSManagedObject,
      link: ContentView.Link,
      values: [NSManagedObjectID: String]
    ) -> [String] {
      let objects: [NSManagedObject] =
        switch object.value(forKey: link.name) {
        case let one as NSManagedObject: [one]
        case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
      let texts = objects.compactMap { values[$0.objectID] }
      return link.isOrdered ? texts : texts.sorted()
    }

    private static func text(_ value: Any?) -> String {
      switch value {
      case nil: "nil"
      case let text as String: "\"\(text)\""
      case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
      case let data as Data: data.base64EncodedString()
      case let value?: "\(value)"
      }
    }
  }
#endif
