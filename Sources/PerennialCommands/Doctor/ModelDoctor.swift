#if !canImport(Darwin)
  import Foundation
  import ModelFormats

  /// Examines a model file.
  struct ModelDoctor {
    let path: String

    var diagnoses: [Diagnosis] {
      do {
        let document = try ValidModelDocument.read(path)
        // A file without faults can still describe a model that Core Data refuses.
        _ = try ModelFile(path).currentModel()
        let count = document.entities.count
        return [.right("model", words: "\(path): \(count == 1 ? "1 entity" : "\(count) entities")")]
      } catch {
        return [.wrong("model", words: "\(error)")]
      }
    }
  }
#endif
