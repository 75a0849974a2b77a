/// Applies the edits of a file, and leaves every other byte unchanged.
struct EditApplier {
  private let edits: [SourceEdit]

  /// - Parameter edits: edits that do not overlap. Insertions at the same offset keep their order.
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

  /// The offset of an original byte after the edits. For a replaced byte, it is the beginning of the replacement.
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
