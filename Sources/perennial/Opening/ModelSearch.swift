import CoreData
import Foundation

/// Looks for a store's model in the folder of the store.
enum ModelSearch {
  struct Found {
    let path: String
    let model: NSManagedObjectModel
  }

  /// The one model beside the store, or in its folder's `.momd` or `.xcdatamodeld`, that the store was made with.
  /// Models that are the same for the store count as one.
  static func beside(_ store: String, metadata: [String: Any]) -> Found? {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() where ModelFile.extensions.contains((name as NSString).pathExtension) {
      let path = folder.appendingPathComponent(name).path
      if let model = try? ModelFile(path).model(of: metadata) { return Found(path: path, model: model) }
    }
    return nil
  }
}
