import ArgumentParser
import Foundation

/// The completions of arguments that take models, stores, or names from a model.
extension CompletionKind {
  /// Models, of which most are folders.
  static let modelFiles = CompletionKind.file(extensions: ModelFile.extensions)
  /// Models that can be compiled, and mapping models.
  static let modelSources = CompletionKind.file(extensions: ["xcdatamodeld", "xcdatamodel", "xcmappingmodel"])
  static let mappingFiles = CompletionKind.file(extensions: ["cdm", "xcmappingmodel"])
  /// Stores with the usual file name extensions. The user has to type the path of any other store.
  static let storeFiles = CompletionKind.file(extensions: storeExtensions)
  static let modelAndStoreFiles = CompletionKind.file(extensions: ModelFile.extensions + storeExtensions)
  static let seedFiles = CompletionKind.file(extensions: [
    "json", "jsonl", "csv", "tsv", "yaml", "yml", "plist", "gz",
  ])

  private static let storeExtensions = ["sqlite", "sqlite3", "db", "store", "storedata", "xml", "binary"]

  /// The names of entities.
  static let entities = ofModel { $0.entities }
  /// `Entity=`, to which the user adds a number.
  static let entityCounts = ofModel { $0.entityCounts }
  /// `Entity.relationship=`, to which the user adds a number.
  static let relationshipCounts = ofModel { $0.relationshipCounts }
  /// `Entity.property`.
  static let properties = ofModel { $0.properties }
  /// Key paths of the line's entity, separated by commas.
  static let keyPaths = ofModel { $0.keyPaths }
  /// Predicates on the objects of the line's entity.
  static let predicates = ofModel { $0.predicates(timeForValues: given ?? .milliseconds(300)) }

  /// The longest time that a person has to wait for a completion.
  private static var patience: Duration { given ?? .seconds(2) }

  /// The time that the environment allows for each completion, in seconds.
  private static var given: Duration? {
    ProcessInfo.processInfo.environment["PERENNIAL_COMPLETION_SECONDS"].flatMap(Int32.init)
      .map { .seconds(max(0, $0)) }
  }

  private static func ofModel(_ completions: @escaping @Sendable (Completer) -> [String]) -> CompletionKind {
    .custom { words, index, prefix in
      let shell = CompletionShell.requesting
      let handover = ShellHandover(of: shell, version: CompletionShell.requestingVersion)
      let words = CompletionWords(words, index: index, prefix: prefix, as: handover)
      let found = BoundedWork.value(within: patience) { Completer(words).map(completions) ?? [] } ?? []
      return found.compactMap { ShellWord.spelled($0, for: shell) }
    }
  }
}

extension StoreLocation {
  static var defaultCompletionKind: CompletionKind { .storeFiles }
}
