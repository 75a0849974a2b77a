import Files
import Foundation

/// What is made of a target's sources and models: the files, before they are written.
package struct CompiledTarget {
  /// What is wrong with the sources and models; when anything is, there are no files.
  package private(set) var errors: [CompilationError] = []
  /// What may be meant as it is and deserves a look.
  package private(set) var warnings: [CompilationError] = []
  private var files: [OutputFile] = []
  /// The paths of files and folders that earlier sources and models had, and that nothing makes any more.
  private var leftovers: [String] = []

  init(errors: [CompilationError]) { self.errors = errors }

  init(files: [OutputFile], models: [ModelOutput]) {
    self.files = files + models.flatMap(\.files)
    leftovers = models.flatMap(\.leftovers)
    warnings = models.flatMap(\.warnings).map { CompilationError($0, isWarning: true) }
  }

  /// The paths of all files, in the order in which they are written.
  package var paths: [String] { files.map(\.path) }

  /// Writes the files that are not there as they should be, and removes those that nothing makes any more.
  ///
  /// - Throws: an error for a file that cannot be written or removed.
  package func write() throws {
    for file in files { try file.write() }
    for path in leftovers { try FileManager.default.removeItem(atPath: path) }
  }

  /// A file that is not as it would be written.
  package struct Difference: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case missing, outdated, leftover
    }

    package let path: String
    package let kind: Kind
  }

  /// The files that ``write()`` would change, make or remove.
  package var differences: [Difference] {
    files.filter { !$0.isUpToDate }.map { file in
      Difference(path: file.path, kind: FileKind(behind: file.path) == .nothing ? .missing : .outdated)
    } + leftovers.map { Difference(path: $0, kind: .leftover) }
  }
}
