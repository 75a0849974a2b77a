/// Carries out the edits of a file, and leaves every other byte as it is.
struct EditApplier {
  private let edits: [SourceEdit]

  /// - Parameter edits: edits that do not overlap; insertions at one place keep their order.
  init(_ edits: [SourceEdit]) {
    self.edits = edits.enumerated().sorted { one, other in
      (one.element.range.lowerBound, one.element.range.upperBound, one.offset)
        < (other.element.range.lowerBound, other.element.range.upperBound, other.offset)
    }.map(\.element)
    for (edit, next) in zip(self.edits, self.edits.dropFirst()) {
      precondition(
        edit.range.upperBound <= next.range.lowerBound,
        "Two porting rules change the same text: \(edit) and \(next)."
      )
    }
  }

  func apply(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.replacement.utf8
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  /// The place of a byte of the original text after the edits; for one that was replaced, the place
  /// where its replacement begins.
  func newOffset(of offset: Int) -> Int {
    var shift = 0
    for edit in edits {
      if edit.range.upperBound <= offset {
        shift += edit.replacement.utf8.count - edit.range.count
      } else if edit.range.contains(offset) {
        return edit.range.lowerBound + shift
      } else {
        break
      }
    }
    return offset + shift
  }
}
