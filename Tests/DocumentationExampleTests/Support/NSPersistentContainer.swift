import CoreData
import Foundation
import TestModels
import TestSupport

/// The container that examples make by its name: it has the model of the tests, and its store is in a
/// folder of its own.
class NSPersistentContainer: CoreData.NSPersistentContainer, @unchecked Sendable {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  convenience init(name: String) {
    self.init(name: name, managedObjectModel: ExampleModel.shared)
    persistentStoreDescriptions[0].url = folder.appendingPathComponent("\(name).sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// The container for CloudKit that examples make by its name, likewise: its model can be mirrored.
final class NSPersistentCloudKitContainer: CoreData.NSPersistentCloudKitContainer, @unchecked Sendable {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  convenience init(name: String) {
    self.init(name: name, managedObjectModel: makeModel([makeEntity("Note", makeAttribute("title"))]))
    persistentStoreDescriptions[0].url = folder.appendingPathComponent("\(name).sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
