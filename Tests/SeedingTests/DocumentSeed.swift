import Foundation

/// The seed of the documents, as the example Notes has it.
enum DocumentSeed {
  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/Notes/Sources/Notes/seed.json")
}
