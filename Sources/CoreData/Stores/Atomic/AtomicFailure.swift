import Foundation

/// Makes the errors of files of stores that are kept as a whole.
enum AtomicFailure {
  static func otherFormat(_ wanted: String, file: URL) -> any Error {
    StoreFailure.corruptFile(
      "\(file.path) is not a \(wanted); open it as a store of its own type, or restore a copy.",
      file: file
    )
  }

  static func brokenXML(_ problem: String, line: Int, file: URL) -> any Error {
    StoreFailure.corruptFile(
      "\(file.path), line \(line): \(problem); restore a copy of the store, or correct the file.",
      file: file
    )
  }

  static func brokenList(_ problem: String, file: URL) -> any Error {
    StoreFailure.corruptFile("\(file.path): \(problem); restore a copy of the store.", file: file)
  }

  static func unknownEntity(_ name: String, object: String, file: URL) -> any Error {
    StoreFailure.corruptFile(
      "\(file.path): the object \(object) is of the entity \(name), which the model does not have.",
      file: file
    )
  }

  static func wrongValue(
    _ value: String,
    attribute: NSAttributeDescription,
    object: String,
    file: URL
  ) -> any Error {
    StoreFailure.corruptFile(
      """
      \(file.path): the object \(object) has "\(value.prefix(60))", which is not a value of \(attribute.modelPath); \
      correct it, or remove it.
      """,
      file: file
    )
  }
}
