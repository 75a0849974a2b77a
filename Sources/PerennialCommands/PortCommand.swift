import ArgumentParser
import Foundation
import SourcePorting

/// `perennial port SOURCES [--check]`
struct PortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port",
    abstract: "Rewrite Swift sources so that they compile on Apple's platforms and with this Core Data.",
    discussion: """
      Files are rewritten in place, and only what has to change changes; a second run changes nothing. What takes a \
      decision is listed as file:line:column: reason, and the exit status is 1 until nothing is. With --check nothing \
      is written, and what would be rewritten counts as well.
      """
  )

  @Argument(
    help: "Swift files, and folders of them. Give all of a module's at once.",
    completion: .file(extensions: ["swift"])
  )
  var sources: [String]

  @Flag(help: "Only report what is to be done.") var check = false

  func run() throws {
    var isPortable = true
    try CommandFailure.reporting {
      let paths = try SourceTree.files(in: sources)
      let porter = SourcePorter(
        sources: try paths.map { ($0, try SourceTree.read($0)) },
        models: SourceTree.models(in: sources)
      )
      let files = porter.port()
      for file in files {
        if !check, file.isChanged { try SourceTree.write(file.text, to: file.path) }
        for finding in file.findings(isCheck: check) { print(finding) }
      }
      print(summary(files))
      isPortable = files.allSatisfy { $0.leftovers.isEmpty && !(check && $0.isChanged) }
    }
    if !isPortable { throw ExitCode.failure }
  }

  private func summary(_ files: [PortedFile]) -> String {
    let changed = files.count(where: \.isChanged)
    let rest = files.reduce(0) { $0 + $1.leftovers.count }
    return
      "\(changed) of \(files.count) files \(check ? "to rewrite" : "rewritten"), \(rest) places to do by hand"
  }
}

extension PortedFile {
  /// The findings to report for the file, in the order of lines.
  fileprivate func findings(isCheck: Bool) -> [PortingFinding] {
    guard isCheck else { return leftovers }
    return rewrites + leftovers
  }
}
