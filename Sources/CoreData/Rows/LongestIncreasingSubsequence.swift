/// Finds what can stay where it is when a list is put into another order.
enum LongestIncreasingSubsequence {
  /// Returns for each element whether it belongs to the longest run whose places rise; those without a place do not.
  static func longest(_ places: [Int64?]) -> [Bool] {
    // `ends[length]` is the element that ends the best run of that length: the one with the lowest place.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if let end = places[ends[middle]], end < place { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isInRun = [Bool](repeating: false, count: places.count)
    var element = ends.last
    while let index = element {
      isInRun[index] = true
      element = before[index]
    }
    return isInRun
  }
}
