extension Range where Bound == Int {
  /// Returns true when all of another range is in this one; an empty one may be at either end.
  func encloses(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
