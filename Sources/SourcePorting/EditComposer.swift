/// Makes the edits of a file out of what rules found: the edits themselves, statements that are
/// written twice, and members that are moved.
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

  /// Edits with those of moved members at the place that these are moved to.
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

  /// The statements that are written twice, but for those within another.
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

  /// A piece of the file with edits.
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
  /// Returns true when all of another range is in this one; an empty one may be at either end.
  func encloses(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
