import Foundation

/// The seed of the example Notes, in English: 6 categories, 36 notes and 8 tags.
enum ExampleSeed {
  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/Notes/Sources/Notes/seed.json")
}
