#if !canImport(Darwin)
  import ArgumentParser
  import CoreData
  import Files
  import Foundation

  /// `perennial check STORE [--model MODEL] [--repair]`
  struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Find what is wrong with a store in SQLite or PostgreSQL, and repair it.",
      usage: "perennial check [<options>] <store>",
      discussion: """
        The file or the schema, the version hashes, keys, foreign keys, inverses, join tables, orders, uniqueness, required values \
        and the files of large data are looked at. With --repair, what takes no decision is mended, after the store \
        was copied. The exit status is 0 when nothing is wrong (any more), 1 otherwise. Nobody else may write to the \
        store meanwhile.
        """
    )

    @Argument(help: "The store: a SQLite file, or postgresql://….") var store: StoreLocation

    @Option(
      help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom; the one in the store unless given.",
      completion: .modelFiles
    )
    var model: String?

    @Flag(help: "Repair what can be repaired, after a copy of the store.") var repair = false

    @Option(help: "Where the copy goes; without it next to the store, on a server into another schema of the database.")
    var copy: StoreLocation?

    @OptionGroup(title: "Waiting") var locking: LockOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    func run() throws {
      try CommandFailure.reporting(logging, wait: locking.wait(for: store)) {
        let check = try StoreChecks.check(of: store, model: model, options: locking.storeOptions)
        var findings = try check.findings()
        print(Self.lines(findings), terminator: "")
        if repair, findings.contains(where: \.isRepairable) {
          let copied = try copy ?? freePlace()
          guard copied.isOnServer == store.isOnServer else {
            throw CommandFailure(
              store: copied,
              problem: "the copy is made where the store is",
              remedy: "give another --copy"
            )
          }
          let wasMended = try check.repair(copyingTo: copied.url)
          findings = try check.findings()
          print(wasMended ? "repaired; the store as it was is \(copied)" : "another program has repaired it meanwhile")
          print(Self.lines(findings), terminator: "")
        }
        // A store that cannot be read has no notes: the findings give the reason.
        let notes = (try? check.notes()) ?? []
        print(notes.map { "note: \($0.words)\n    to do: \($0.advice)\n" }.joined(), terminator: "")
        if findings.isEmpty { return print("nothing is wrong") }
        throw CommandFailure(
          store: store,
          problem: summary(of: findings),
          remedy: Self.advice(findings, wasRepaired: repair)
        )
      }
    }

    private var url: URL { store.url }

    private func freePlace() throws -> StoreLocation {
      for number in 1...1000 {
        let place = place("unrepaired\(number == 1 ? "" : "-\(number)")")
        if try !place.isTaken(options: locking.storeOptions) { return place }
      }
      throw CommandFailure(
        store: store,
        problem: "there are a thousand copies next to it",
        remedy: "give a place with --copy"
      )
    }

    /// A location next to the store: a file, or a schema of the same database.
    private func place(_ ending: String) -> StoreLocation {
      guard store.isOnServer else {
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        return StoreLocation(path: "\(url.deletingPathExtension().path)-\(ending)\(suffix)")
      }
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
      var items = parts?.queryItems ?? []
      let schema = items.first { $0.name == "schema" }?.value ?? "perennial"
      items.removeAll { $0.name == "schema" }
      parts?.queryItems = items + [URLQueryItem(name: "schema", value: "\(schema)-\(ending)")]
      return StoreLocation(path: parts?.string ?? "")
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
      return count == 0 ? "each of them needs a decision" : "--repair can repair \(count) of them"
    }
  }
#endif
