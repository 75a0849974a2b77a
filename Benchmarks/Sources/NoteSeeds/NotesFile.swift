import Foundation

/// Seed files of notes in JSON Lines, each note with a category and three tags.
package struct NotesFile {
  package static let categories = 50
  package static let tags = 200

  private let notes: Int
  /// True if the notes precede the categories and tags to which they refer.
  private let notesFirst: Bool
  /// The notes up to this number have different contents.
  private let changed: Int
  /// True if only the changed notes are written.
  private let onlyChanged: Bool

  package init(notes: Int, notesFirst: Bool = false, changed: Int = 0, onlyChanged: Bool = false) {
    self.notes = notes
    self.notesFirst = notesFirst
    self.changed = changed
    self.onlyChanged = onlyChanged
  }

  package func write(to url: URL) throws {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    if !notesFirst { try writeOthers(to: file) }
    var text = ""
    for number in 1...(onlyChanged ? changed : notes) {
      text += Self.note(number, isChanged: number <= changed)
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data(text.utf8))
    if notesFirst { try writeOthers(to: file) }
  }

  private func writeOthers(to file: FileHandle) throws {
    var text = ""
    for number in 0..<Self.categories {
      text += #"{"$entity": "Category", "name": "category \#(number)", "colorAsHex": "\#(number)"}"# + "\n"
    }
    for number in 0..<Self.tags { text += #"{"$entity": "Tag", "name": "tag \#(number)"}"# + "\n" }
    try file.write(contentsOf: Data(text.utf8))
  }

  private static func note(_ number: Int, isChanged: Bool) -> String {
    let named = (0..<3).map { (place: Int) -> String in
      let tag = (number * 7 + place * 61) % Self.tags
      return "\"tag \(tag)\""
    }
    let list = named.joined(separator: ", ")
    let contents = isChanged ? "changed contents of note" : "what there is to be read in note"
    return """
      {"$entity": "Note", "title": "note \(number)", "contents": "\(contents) \(number)", \
      "createdAt": \(1_500_000_000 + number), "updatedAt": \(1_500_000_060 + number), \
      "category": "category \(number % categories)", "tags": [\(list)]}\n
      """
  }
}
