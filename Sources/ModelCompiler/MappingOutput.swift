import Foundation
import ModelFormats

/// The `.cdm` that the program finds at run time for a mapping model.
struct MappingOutput {
  let file: OutputFile

  /// Compiles a mapping model, and writes nothing yet.
  ///
  /// - Parameter models: the models of the target and of those that it depends on, among which the two versions are
  ///   looked for.
  /// - Throws: `ModelFileError` for a mapping model that is not sound.
  init(_ mapping: ModelCompilation.Mapping, models: [String]) throws(ModelFileError) {
    let urls = models.map { URL(fileURLWithPath: $0) }
    let data = try MappingPackage(contentsOf: URL(fileURLWithPath: mapping.source)).compiled {
      (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, among: urls) }
    }
    file = OutputFile(path: mapping.output, data: data)
  }
}
