/// Objects, each once, in the order in which they came: what a to-many relationship leads to.
///
/// A small set is searched object by object; a larger one gets an index at its first search. Adding or removing an
/// object at either end does not touch the others. An insertion in the middle moves references in memory, without work
/// for each object.
struct ObjectSet {
  private static let fewObjects = 8
  /// So near to the beginning of the list it is worthwhile to have the beginning apart.
  private static let nearBeginning = 32

  /// The first objects in reverse order; empty until an object is added or removed at the beginning. All are different.
  private var front: [NSManagedObject] = []
  private var list: [NSManagedObject] = []
  /// The number of objects at the beginning of the list that are known to be different.
  private var distinctCount = 0
  /// Where the distinct ones are, once that was asked for: see ``position(at:)``.
  private var positions: [ObjectIdentifier: Int]?
  /// The greatest distance of an object from its recorded position, because other objects were added or removed before
  /// it.
  private var drift = 0
  /// The recorded position of the first object in the list. It changes when objects move between the list and its
  /// beginning.
  private var shift = 0
  /// The number of places that were searched near the recorded ones since the positions were recorded.
  private var stepCount = 0

  init() {}

  /// - Parameter objects: may have some of them twice.
  init(_ objects: [NSManagedObject]) { list = objects }

  var isEmpty: Bool { list.isEmpty && front.isEmpty }

  var count: Int {
    mutating get {
      removeDuplicates()
      return front.count + list.count
    }
  }

  var objects: [NSManagedObject] {
    mutating get {
      removeDuplicates()
      if !front.isEmpty { joinFront() }
      return list
    }
  }

  mutating func object(at place: Int) -> NSManagedObject {
    removeDuplicates()
    return distinctObject(at: place)
  }

  mutating func contains(_ object: NSManagedObject) -> Bool {
    removeDuplicates()
    return containsDistinct(object)
  }

  /// The place of an object in the order; `nil` where it is not there.
  mutating func place(of object: NSManagedObject) -> Int? {
    removeDuplicates()
    return distinctPlace(of: object)
  }

  // MARK: - Putting in

  /// Puts an object at the end, unless it is there.
  mutating func insert(_ object: NSManagedObject) {
    if !contains(object) { appendDistinct(object) }
  }

  /// Puts an object that is not there at a place of the order.
  mutating func insert(_ object: NSManagedObject, at place: Int) {
    removeDuplicates()
    if place == front.count + list.count { return appendDistinct(object) }
    let offset = place - front.count
    if offset > 0, offset < Self.nearBeginning, list.count > 4 * Self.nearBeginning { moveToFront(offset) }
    if place <= front.count {
      front.insert(object, at: front.count - place)
      if place > 0 { drift += 1 }
    } else {
      list.insert(object, at: place - front.count)
      drift += 1
    }
    distinctCount = list.count
    recordPosition(of: object, at: place)
  }

  /// Adds an object at the end that is probably not in the set. Whether it is a duplicate is checked at the next
  /// access.
  mutating func append(_ object: NSManagedObject) { list.append(object) }

  // MARK: - Taking out

  /// - Parameter preservesOrder: true when the other objects must stay in order.
  /// - Returns: true when the object was there.
  @discardableResult
  mutating func remove(_ object: NSManagedObject, preservesOrder: Bool = false) -> Bool {
    if isEmpty { return false }
    removeDuplicates()
    guard let place = distinctPlace(of: object) else { return false }
    if preservesOrder {
      remove(at: place)
    } else {
      if !front.isEmpty { joinFront() }
      list.swapAt(place, list.count - 1)
      list.removeLast()
      positions?[ObjectIdentifier(object)] = nil
      if place < list.count { recordPosition(of: list[place], at: place) }
    }
    distinctCount = list.count
    return true
  }

  /// Removes the object at a position. The others stay in order.
  mutating func remove(at place: Int) {
    removeDuplicates()
    if list.isEmpty {
      joinFront()
    } else if front.isEmpty, place < Self.nearBeginning, list.count > 4 * Self.nearBeginning {
      moveToFront(list.count / 2)
    }
    let removed = ObjectIdentifier(distinctObject(at: place))
    positions?[removed] = nil
    if place < front.count {
      front.remove(at: front.count - 1 - place)
      if place > 0 { drift += 1 }
    } else {
      let offset = place - front.count
      list.remove(at: offset)
      if offset < list.count { drift += 1 }
    }
    distinctCount = list.count
  }

  mutating func removeAll() {
    if isEmpty { return }
    self = ObjectSet()
  }

  // MARK: - Changing the order

  /// Has two objects change their places.
  mutating func swapAt(_ one: Int, other: Int) {
    if one == other { return }
    _ = objects
    list.swapAt(one, other)
    for place in [one, other] { recordPosition(of: list[place], at: place) }
  }

  // MARK: - Parts

  /// Removes objects that were added twice.
  mutating func removeDuplicates() {
    guard distinctCount < list.count else { return }
    // Apart from the list, which would be copied as a whole otherwise.
    let unchecked = Array(list[distinctCount...])
    list.removeSubrange(distinctCount...)
    for object in unchecked where !containsDistinct(object) { appendDistinct(object) }
  }

  private mutating func appendDistinct(_ object: NSManagedObject) {
    recordPosition(of: object, at: front.count + list.count)
    list.append(object)
    distinctCount = list.count
  }

  /// Has all objects in the list again.
  private mutating func joinFront() {
    shift -= front.count
    list.insert(contentsOf: front.reversed(), at: 0)
    front = []
    distinctCount = list.count
  }

  /// Moves the given number of objects from the beginning of the list to ``front``.
  private mutating func moveToFront(_ count: Int) {
    shift += count
    front.insert(contentsOf: list[..<count].reversed(), at: 0)
    list.removeFirst(count)
    distinctCount = list.count
  }

  private func distinctObject(at place: Int) -> NSManagedObject {
    place < front.count ? front[front.count - 1 - place] : list[place - front.count]
  }

  // MARK: - Looking for objects

  /// The recorded position of a place, relative to the beginning of the list. So the recorded positions of all other
  /// objects stay valid when an object is inserted or removed at the beginning.
  private func position(at place: Int) -> Int { place - front.count + shift }

  private mutating func containsDistinct(_ object: NSManagedObject) -> Bool {
    if front.count + list.count <= Self.fewObjects {
      return list.contains { $0 === object } || front.contains { $0 === object }
    }
    if positions == nil { recordPositions() }
    return positions?[ObjectIdentifier(object)] != nil
  }

  /// The place of a distinct object.
  ///
  /// The positions are recorded again when the number of searched places exceeds the number of objects, because
  /// recording takes about as long.
  private mutating func distinctPlace(of object: NSManagedObject) -> Int? {
    let count = front.count + list.count
    if count <= Self.fewObjects { return (0..<count).first { distinctObject(at: $0) === object } }
    if positions == nil || drift > max(Self.nearBeginning, count / 16) || stepCount > count { recordPositions() }
    guard let recorded = positions?[ObjectIdentifier(object)] else { return nil }
    let place = recorded + front.count - shift
    for distance in 0...drift {
      if distance > 0 { stepCount += 1 }
      // Before the recorded position, if other objects were removed at the beginning.
      if isObject(object, at: place - distance) { return place - distance }
      if isObject(object, at: place + distance) { return place + distance }
    }
    return nil
  }

  private func isObject(_ object: NSManagedObject, at place: Int) -> Bool {
    place >= 0 && place < front.count + list.count && distinctObject(at: place) === object
  }

  private mutating func recordPosition(of object: NSManagedObject, at place: Int) {
    let position = position(at: place)
    positions?[ObjectIdentifier(object)] = position
  }

  private mutating func recordPositions() {
    var positions: [ObjectIdentifier: Int] = [:]
    positions.reserveCapacity(front.count + list.count)
    for (place, object) in front.enumerated() { positions[ObjectIdentifier(object)] = -1 - place }
    for (place, object) in list.enumerated() { positions[ObjectIdentifier(object)] = place }
    self.positions = positions
    (drift, shift, stepCount) = (0, 0, 0)
  }
}
