import CoreData
import Foundation
import TestModels
import TestSupport

/// A container for examples that create one by name. It has the model of the tests, and its store is in its own folder.
class NSPersistentContainer: CoreData.NSPersistentContainer, @unchecked Sendable {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  convenience init(name: String) {
    self.init(name: name, managedObjectModel: ExampleModel.shared)
    persistentStoreDescriptions[0].url = folder.appendingPathComponent("\(name).sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// A CloudKit container for examples that create one by name. Its model can be mirrored.
final class NSPersistentCloudKitContainer: CoreData.NSPersistentCloudKitContainer, @unchecked Sendable {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  convenience init(name: String) {
    self.init(name: name, managedObjectModel: makeModel([makeEntity("Note", makeAttribute("title"))]))
    persistentStoreDescriptions[0].url = folder.appendingPathComponent("\(name).sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
