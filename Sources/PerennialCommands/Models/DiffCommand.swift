import ArgumentParser
import Foundation
import ModelFormats
import Texts

/// `perennial diff MODEL-A MODEL-B [--html FILE]`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed from one model to another, and whether a lightweight migration can do it.",
    discussion: """
      Of a package the current version is taken; give the .xcdatamodel or .mom inside for another. Changes that a \
      lightweight migration cannot do are marked with an exclamation mark and followed by the reason; with a question \
      mark those that it can do only where no object lacks a value. With --html the changes go into a page, one file \
      that can be attached to a review, and only the last line is printed.
      """
  )

  @Argument(help: "The older model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var older: String

  @Argument(help: "The newer model.", completion: .modelFiles) var newer: String
  @Option(help: "The page to write, in place of the list of changes.", completion: .file()) var html: String?

  func run() throws {
    try CommandFailure.reporting {
      let documents = (try ValidModelDocument.read(older), try ValidModelDocument.read(newer))
      let difference = ModelDifference(from: documents.0, to: documents.1)
      let review = ModelReview(difference, opensAsItIs: hashes(documents.0) == hashes(documents.1))
      if let html {
        try ModelReviewPage.page(review, names: (older, newer)).write(to: html)
        return print(review.verdict)
      }
      for change in difference.changes {
        let mark = change.obstacle != nil ? "!" : change.condition != nil ? "?" : " "
        let reason = (change.obstacle ?? change.condition).map { " (\($0))" } ?? ""
        print("\(mark) \(change.subject): \(change.change)\(reason)".onOneLine)
      }
      if !difference.changes.isEmpty { print("") }
      print(review.verdict)
    }
  }

  private func hashes(_ document: ModelDocument) -> [String: Data] {
    ModelVersionHashes(document: document).entityHashes
  }
}
