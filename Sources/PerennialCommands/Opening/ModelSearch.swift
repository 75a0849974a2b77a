import CoreData
import Foundation

/// Looks for a store's model in the folder of the store.
enum ModelSearch {
  struct Found {
    let path: String
    let model: NSManagedObjectModel
  }

  /// The first model beside the store, by name, that has a version which the store was made with.
  static func beside(_ store: String, metadata: [String: Any]) -> Found? {
    let folder = (store as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names.sorted() where ModelFile.extensions.contains((name as NSString).pathExtension) {
      let path = (folder as NSString).appendingPathComponent(name)
      if let model = try? ModelFile(path).model(of: metadata) { return Found(path: path, model: model) }
    }
    return nil
  }
}
