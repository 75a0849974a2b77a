/// Packs rectangles onto shelves of a given width, the tallest first.
struct ShelfPacking {
  /// The upper left corner of each rectangle.
  private(set) var origins: [Point]
  private(set) var size = Size(width: 0, height: 0)

  init(_ sizes: [Size], width: Double) {
    origins = [Point](repeating: Point(x: 0, y: 0), count: sizes.count)
    struct Shelf {
      var top: Double
      var height: Double
      var used: Double
    }
    var shelves: [Shelf] = []
    for index in sizes.indices.sorted(by: { (sizes[$1].height, $0) < (sizes[$0].height, $1) }) {
      let room = sizes[index]
      let number = shelves.firstIndex { $0.used + room.width <= width } ?? shelves.count
      if number == shelves.count {
        let top = shelves.last.map { $0.top + $0.height + Spacing.components } ?? 0
        shelves.append(Shelf(top: top, height: room.height, used: 0))
      }
      origins[index] = Point(x: shelves[number].used, y: shelves[number].top)
      size.width = max(size.width, shelves[number].used + room.width)
      shelves[number].used += room.width + Spacing.components
    }
    size.height = shelves.last.map { $0.top + $0.height } ?? 0
  }
}

/// Boxes without lines in columns of about equal height, to be read downwards.
struct BoxGrid {
  let boxes: [Size]

  init(_ boxes: [Size]) { self.boxes = boxes }

  func place(width: Double) -> (origins: [Point], size: Size) {
    let cell = (boxes.map(\.width).max() ?? 0) + Spacing.boxes
    let count = max(1, min(boxes.count, Int((width + Spacing.boxes) / max(1, cell))))
    // The least column height, of a growing series of heights, at which all boxes fit into the columns.
    let total = boxes.reduce(0) { $0 + $1.height + Spacing.boxes }
    var height = max(total / Double(count), boxes.map { $0.height + Spacing.boxes }.max() ?? 0)
    while columns(height) > count { height *= 1.03 }
    var origins: [Point] = []
    var place = Point(x: 0, y: 0)
    var size = Size(width: 0, height: 0)
    for box in boxes {
      if place.y > 0, place.y + box.height + Spacing.boxes > height { place = Point(x: place.x + cell, y: 0) }
      origins.append(place)
      size = Size(width: max(size.width, place.x + box.width), height: max(size.height, place.y + box.height))
      place.y += box.height + Spacing.boxes
    }
    return (origins, size)
  }

  private func columns(_ height: Double) -> Int {
    var count = 1
    var top = 0.0
    for box in boxes {
      if top > 0, top + box.height + Spacing.boxes > height { (count, top) = (count + 1, 0) }
      top += box.height + Spacing.boxes
    }
    return count
  }
}
