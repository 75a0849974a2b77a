import ArgumentParser
import Foundation

/// What can stand where commands take models, stores, and names of what is in them.
extension CompletionKind {
  /// Models, of which most are folders.
  static let modelFiles = CompletionKind.file(extensions: ModelFile.extensions)
  /// Models that can be compiled.
  static let modelSources = CompletionKind.file(extensions: ["xcdatamodeld", "xcdatamodel", "xcmappingmodel"])
  static let mappingFiles = CompletionKind.file(extensions: ["cdm", "xcmappingmodel"])
  /// Stores by the names that are usual for them; one of another name has to be typed.
  static let storeFiles = CompletionKind.file(extensions: storeExtensions)
  static let modelAndStoreFiles = CompletionKind.file(extensions: ModelFile.extensions + storeExtensions)
  static let seedFiles = CompletionKind.file(extensions: [
    "json", "jsonl", "csv", "tsv", "yaml", "yml", "plist", "gz",
  ])

  private static let storeExtensions = ["sqlite", "sqlite3", "db", "store", "storedata", "xml", "binary"]

  /// The names of entities.
  static let entities = ofModel { $0.entities }
  /// `Entity=`, for a number behind it.
  static let entityCounts = ofModel { $0.entityCounts }
  /// `Entity.relationship=`, for a number behind it.
  static let relationshipCounts = ofModel { $0.relationshipCounts }
  /// `Entity.property`.
  static let properties = ofModel { $0.properties }
  /// Key paths of the line's entity, separated by commas.
  static let keyPaths = ofModel { $0.keyPaths }
  /// Predicates on the objects of the line's entity.
  static let predicates = ofModel { $0.predicates(timeForValues: given ?? .milliseconds(300)) }

  /// The time that a person who waits for a completion has, at most.
  private static var patience: Duration { given ?? .seconds(2) }

  /// The time that the environment gives to each completion, in seconds.
  private static var given: Duration? {
    ProcessInfo.processInfo.environment["PERENNIAL_COMPLETION_SECONDS"].flatMap(Int32.init)
      .map { .seconds(max(0, $0)) }
  }

  private static func ofModel(
    _ completions: @escaping @Sendable (Completer) -> [String]
  ) -> CompletionKind {
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
