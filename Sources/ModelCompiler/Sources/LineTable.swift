/// Turns places in the bytes of a file into lines and columns.
package struct LineTable {
  private let lineStarts: [Int]

  package init(_ source: [UInt8]) {
    var starts = [0]
    source.withUnsafeBufferPointer { bytes in
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  package func position(of offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1)
  }
}
