#if !canImport(Darwin)
  import Foundation
  import ModelFormats

  /// Looks at a model's file.
  struct ModelDoctor {
    let path: String

    var diagnoses: [Diagnosis] {
      do {
        let document = try SoundDocument.read(path)
        // What is no fault of the file can still be one of the model.
        _ = try ModelFile(path).currentModel()
        let count = document.entities.count
        return [.right("model", words: "\(path): \(count == 1 ? "1 entity" : "\(count) entities")")]
      } catch {
        return [.wrong("model", words: "\(error)")]
      }
    }
  }
#endif
