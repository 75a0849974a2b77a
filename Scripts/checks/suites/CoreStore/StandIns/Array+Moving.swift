import Foundation

extension Array {
  /// Moves elements in front of the element at an index.
  mutating func move(fromOffsets offsets: IndexSet, toOffset place: Int) {
    let moved = offsets.map { self[$0] }
    let before = offsets.count(in: 0..<place)
    self = indices.filter { !offsets.contains($0) }.map { self[$0] }
    insert(contentsOf: moved, at: place - before)
  }
}
