/// Combines the findings of all rules into the edits of a file: plain edits, statements that are written
/// twice, and moved members.
struct EditComposer {
  private let file: SwiftFile
  private let edits: [SourceEdit]
  private let alternatives: [StatementAlternative]
  private let moves: [MemberMove]

  init(_ changes: [PortingChange], in file: SwiftFile) {
    self.file = file
    edits = changes.flatMap(\.edits)
    alternatives = changes.compactMap(\.alternative)
    moves = changes.compactMap(\.move)
  }

  func compose() -> [SourceEdit] {
    let statements = outermostStatements
    let outside = edits.filter { edit in !statements.contains { $0.encloses(edit.range) } }
    return moving(outside + statements.map(writtenTwice))
  }

  /// Applies the edits inside a moved member to its text, and moves that text to the new place.
  private func moving(_ edits: [SourceEdit]) -> [SourceEdit] {
    var staying = edits
    var result: [SourceEdit] = []
    for move in moves {
      let inner = staying.filter { move.member.encloses($0.range) }
      staying.removeAll { move.member.encloses($0.range) }
      let text = move.opening + self.text(of: move.member, edits: inner) + move.closing
      result.append(SourceEdit(range: move.member, replacement: ""))
      result.append(SourceEdit(range: move.destination..<move.destination, replacement: text))
    }
    return staying + result
  }

  /// The statements that are written twice, except those inside another one.
  private var outermostStatements: [Range<Int>] {
    let all = Set(alternatives.map(\.statement))
    return all.filter { one in !all.contains { $0 != one && $0.encloses(one) } }
  }

  private func writtenTwice(_ statement: Range<Int>) -> SourceEdit {
    let common = edits.filter { statement.encloses($0.range) }
    let differing = alternatives.filter { statement.encloses($0.statement) }.flatMap(\.edits)
    let (start, end) = (statement.lowerBound, statement.upperBound)
    let line = file.newline + file.indentation(start)
    let text =
      "#if canImport(ObjectiveC)\(line)\(self.text(of: statement, edits: common))\(line)#else\(line)"
      + "\(self.text(of: statement, edits: common + differing))\(line)#endif"
    let isFirst = file.beginsLine(start)
    let isLast = file.endsLine(end)
    return SourceEdit(
      range: (isFirst ? start : file.startOfSpaces(before: start))..<(isLast
        ? end : file.endOfSpaces(from: end)),
      replacement: (isFirst ? "" : line) + text + (isLast ? "" : line)
    )
  }

  /// A part of the file with edits applied.
  private func text(of range: Range<Int>, edits: [SourceEdit]) -> String {
    let moved = edits.map { edit in
      SourceEdit(
        range: edit.range.lowerBound - range.lowerBound..<edit.range.upperBound - range.lowerBound,
        replacement: edit.replacement
      )
    }
    let bytes = EditApplier(moved).apply(to: Array(file.bytes[range]))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Range where Bound == Int {
  /// Returns true when this range contains another one. An empty range may be at either end.
  func encloses(_ other: Range<Int>) -> Bool { lowerBound <= other.lowerBound && other.upperBound <= upperBound }
}
