import Foundation
import PerennialCommands
import SourcePorting

/// Makes mutants one by one, runs the commands on them in this process, and writes a journal.
struct Worker {
  let laboratory: Laboratory
  private let journal: Journal

  init(laboratory: Laboratory) throws {
    self.laboratory = laboratory
    journal = try Journal.appending()
  }

  /// - Parameter skipped: the number of commands of the first mutant that already ran.
  func run(_ numbers: Range<Int>, skipping skipped: Int) throws {
    silence()
    let watchdog = Watchdog(journal: journal)
    for number in numbers {
      let mutant = try Mutant(number: number, laboratory: laboratory)
      let isFirst = number == numbers.lowerBound && skipped > 0
      do {
        if !isFirst { try mutant.make(in: mutant.folder) }
      } catch {
        journal.write("unmade \(number) \(mutant.specimen.kind) \(error)")
        continue
      }
      journal.write(
        "mutant \(number) \(mutant.specimen.kind) \(mutant.specimen.name)/\(mutant.specimen.target)"
      )
      for (index, command) in mutant.commands.enumerated().dropFirst(isFirst ? skipped : 0) {
        journal.write("begin \(number) \(index) \(command.name)")
        watchdog.start()
        try run(command, over: mutant)
        watchdog.stop()
        // An abandoned parse still runs, and the watchdog would charge its processor time to the next commands.
        if BoundedParse.abandonedCount > 0 { return journal.write("again \(number) \(index + 1)") }
      }
      journal.write("end \(number)")
      try? FileManager.default.removeItem(at: mutant.folder)
    }
  }

  private func run(_ command: Command, over mutant: Mutant) throws {
    let target = mutant.folder.appendingPathComponent(mutant.specimen.target)
    let before = command.onlyReads ? try? Data(contentsOf: target) : nil
    let outcome = Perennial.run(command.arguments)
    if let before, let after = try? Data(contentsOf: target), before != after, !hasLog(mutant) {
      journal.write("finding \(command.name): it only reads, and has changed the file")
    }
    for file in openFiles(below: mutant.folder) {
      journal.write("finding \(command.name): \(file) is still open: \(outcome.message)")
    }
    guard outcome.status != 0 else { return journal.write("ended 0") }
    journal.write("ended \(outcome.status) \(outcome.message.prefix(200))")
    if let fault = fault(in: outcome.message), !(outcome.message.isEmpty && command.reportsOnOutput) {
      journal.write("finding \(command.name): its message \(fault): \(outcome.message.prefix(300))")
    }
  }

  /// Whether the store has a write-ahead log, whose pages SQLite writes into the file when it opens the store.
  private func hasLog(_ mutant: Mutant) -> Bool {
    let collected = laboratory.folder(of: mutant.specimen).appendingPathComponent(mutant.specimen.target)
    return FileManager.default.fileExists(atPath: collected.path + "-wal")
  }

  private func fault(in message: String) -> String? {
    if message.isEmpty { return "is empty" }
    if message.utf8.count > 2500 { return "has \(message.utf8.count) bytes" }
    let isControl = message.unicodeScalars.contains {
      $0.properties.generalCategory == .control && $0 != "\n" || $0.properties.isBidiControl
    }
    return isControl ? "has control characters" : nil
  }

  private func openFiles(below folder: URL) -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return
      descriptors
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(folder.path + "/") }
  }

  /// Discards the output of the commands.
  private func silence() {
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, STDOUT_FILENO)
    dup2(nowhere, STDERR_FILENO)
    close(nowhere)
  }
}
