#if !canImport(Darwin)
  import ArgumentParser
  import CoreData
  import Files
  import Foundation

  /// `perennial check STORE [--model MODEL] [--repair]`
  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Look for what is wrong with a SQLite store, and mend it.",
      discussion: """
        The file, the version hashes, keys, foreign keys, inverses, join tables, orders, uniqueness, required values \
        and the files of large data are looked at. With --repair, what takes no decision is mended, after the store \
        was copied. The exit status is 0 when nothing is wrong (any more), 1 otherwise. Nobody else may write to the \
        store meanwhile.
        """
    )

    @Argument(help: "The SQLite store.")
    var store: String

    @Option(
      help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom; the one in the store unless given."
    )
    var model: String?

    @Flag(help: "Mend what can be mended, after a copy of the store.")
    var repair = false

    @Option(help: "Where the copy goes; beside the store unless given.")
    var copy: String?

    @OptionGroup(title: "Waiting")
    var locking: LockOptions

    @OptionGroup(title: "Log")
    var logging: LogOptions

    func run() throws {
      try CommandFailure.reporting(logging, locking.wait(for: store)) {
        let check = try SQLiteStoreCheck(
          store: url,
          model: try checkedModel(),
          options: locking.storeOptions
        )
        var findings = try check.findings()
        print(Self.lines(findings), terminator: "")
        if repair, findings.contains(where: \.isRepairable) {
          let copied = copy ?? freePlace()
          let wasMended = try check.repair(copyingTo: URL(fileURLWithPath: copied))
          findings = try check.findings()
          print(wasMended ? "mended; the store as it was is \(copied)" : "mended by somebody else meanwhile")
          print(Self.lines(findings), terminator: "")
        }
        if findings.isEmpty { return print("nothing is wrong") }
        throw CommandFailure(store, summary(of: findings), remedy: Self.advice(findings, wasRepaired: repair))
      }
    }

    private var url: URL { URL(fileURLWithPath: store) }

    /// The model that the store was made with, from the file that was given.
    private func checkedModel() throws -> NSManagedObjectModel? {
      let metadata = try ClosedStore.metadata(of: store, options: locking.storeOptions)
      guard let model else { return ModelSearch.beside(store, metadata: metadata)?.model }
      let file = ModelFile(model)
      // One that does not fit is a finding.
      return try file.model(of: metadata) ?? file.currentModel()
    }

    private func freePlace() -> String {
      let base = url.deletingPathExtension().path
      let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
      let names = sequence(first: 1) { $0 + 1 }.lazy.map {
        "\(base)-unrepaired\($0 == 1 ? "" : "-\($0)")\(suffix)"
      }
      return names.first { FileKind(at: $0) == .nothing } ?? base
    }

    private static func lines(_ findings: [StoreFinding]) -> String {
      findings.map { finding in
        "\(finding.kind.rawValue): \(finding.problem)\n    \(finding.isRepairable ? "--repair can" : "to do"): "
          + "\(finding.remedy)\n"
      }.joined()
    }

    private func summary(of findings: [StoreFinding]) -> String {
      findings.count == 1 ? "1 thing is wrong" : "\(findings.count) things are wrong"
    }

    private static func advice(_ findings: [StoreFinding], wasRepaired: Bool) -> String {
      if wasRepaired { return "what is left takes a decision" }
      let count = findings.count(where: \.isRepairable)
      return count == 0 ? "each of them takes a decision" : "--repair mends \(count) of them"
    }
  }
#endif
