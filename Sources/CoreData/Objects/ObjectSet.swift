/// Objects, each once, in the order in which they came: what a to-many relationship leads to.
///
/// Few objects are looked through one by one; more get an index when one of them is looked for.
struct ObjectSet {
  private static let fewObjects = 8

  private var list: [NSManagedObject] = []
  /// So many at the beginning of the list are known to be different ones.
  private var distinctCount = 0
  /// The places of the distinct ones, once that was asked for.
  private var places: [ObjectIdentifier: Int]?

  init() {}

  /// - Parameter objects: may have some of them twice.
  init(_ objects: [NSManagedObject]) { list = objects }

  var isEmpty: Bool { list.isEmpty }

  var count: Int {
    mutating get {
      removeDuplicates()
      return list.count
    }
  }

  var objects: [NSManagedObject] {
    mutating get {
      removeDuplicates()
      return list
    }
  }

  mutating func contains(_ object: NSManagedObject) -> Bool {
    removeDuplicates()
    return place(of: object) != nil
  }

  /// Puts an object at the end, unless it is there.
  mutating func insert(_ object: NSManagedObject) {
    if !contains(object) { appendDistinct(object) }
  }

  /// Puts an object at the end that is hardly there: whether it is will be looked at when anything
  /// is asked.
  mutating func append(_ object: NSManagedObject) {
    list.append(object)
  }

  /// - Parameter preservesOrder: true when the others are to stay in order.
  /// - Returns: true when the object was there.
  @discardableResult
  mutating func remove(_ object: NSManagedObject, preservesOrder: Bool = false) -> Bool {
    if list.isEmpty { return false }
    removeDuplicates()
    guard let place = place(of: object) else { return false }
    if preservesOrder {
      list.remove(at: place)
      places = nil
    } else {
      list.swapAt(place, list.count - 1)
      list.removeLast()
      places?[ObjectIdentifier(object)] = nil
      if place < list.count { places?[ObjectIdentifier(list[place])] = place }
    }
    distinctCount = list.count
    return true
  }

  mutating func removeAll() {
    if list.isEmpty { return }
    self = ObjectSet()
  }

  /// Leaves out what was put in twice.
  mutating func removeDuplicates() {
    guard distinctCount < list.count else { return }
    // Apart from the list, which would be copied as a whole otherwise.
    let unchecked = Array(list[distinctCount...])
    list.removeSubrange(distinctCount...)
    for object in unchecked where place(of: object) == nil { appendDistinct(object) }
  }

  private mutating func appendDistinct(_ object: NSManagedObject) {
    places?[ObjectIdentifier(object)] = list.count
    list.append(object)
    distinctCount = list.count
  }

  /// The place of a distinct object.
  private mutating func place(of object: NSManagedObject) -> Int? {
    guard list.count > Self.fewObjects else { return list.firstIndex { $0 === object } }
    if let places { return places[ObjectIdentifier(object)] }
    var places: [ObjectIdentifier: Int] = [:]
    places.reserveCapacity(list.count)
    for (place, object) in list.enumerated() { places[ObjectIdentifier(object)] = place }
    self.places = places
    return places[ObjectIdentifier(object)]
  }
}
