import Foundation
import GRDBSQLite
import Samples

/// An object that a map finds by its key, like the objects of a context.
class FloorObject: NSObject {
  final let key: Int64
  // An object may outlive the code that made it, so it retains the map.
  private let map: FloorMap

  init(_ key: Int64, in map: FloorMap) {
    self.key = key
    self.map = map
    super.init()
    map.add(self, key)
  }

  deinit { map.remove(key) }
}

/// An object that has ten integers and nothing else.
final class FloorSample: FloorObject {
  private typealias Values = (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)
  static let slots = Dictionary(uniqueKeysWithValues: Sample.keys.enumerated().map { ($1, $0) })

  private var values: Values

  /// - Parameter row: the columns for key, version and values.
  init(_ row: OpaquePointer?, in map: FloorMap) {
    func value(_ column: Int32) -> Int64 { sqlite3_column_int64(row, column + 2) }
    values = (
      value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7), value(8), value(9)
    )
    super.init(sqlite3_column_int64(row, 0), in: map)
  }

  init(number row: Int, in map: FloorMap) {
    func value(_ column: Int) -> Int64 { Sample.value(row, column) }
    values = (
      value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7), value(8), value(9)
    )
    super.init(Int64(row + 1), in: map)
  }

  init(copyOf other: FloorSample, in map: FloorMap) {
    values = other.values
    super.init(other.key, in: map)
  }

  subscript(column: Int) -> Int64 {
    get { withUnsafeBytes(of: values) { $0.load(fromByteOffset: column * 8, as: Int64.self) } }
    set {
      withUnsafeMutableBytes(of: &values) {
        $0.storeBytes(of: newValue, toByteOffset: column * 8, as: Int64.self)
      }
    }
  }

  var sum: Int64 {
    values.0 &+ values.1 &+ values.2 &+ values.3 &+ values.4 &+ values.5 &+ values.6 &+ values.7 &+ values.8
      &+ values.9
  }

  /// The sum with each value looked up by name and boxed, as `value(forKey:)` does.
  var sumByKeys: Int64 {
    Sample.keys.reduce(0) { sum, key in
      let value: Any? = Self.slots[key].map { NSNumber(value: self[$0]) }
      return sum &+ ((value as? NSNumber)?.int64Value ?? 0)
    }
  }
}

/// The values of a fault, which has none yet.
final class FloorFault: FloorObject {
  var values: FloorSample?
}

/// The sets of objects and IDs in the notifications of a save: those of the event before it, and those of the save.
enum FloorNotifications {
  private final class ID: NSObject {
    let key: Int64
    init(_ key: Int64) { self.key = key }
    override var hash: Int { key.hashValue }
    override func isEqual(_ object: Any?) -> Bool { (object as? ID)?.key == key }
  }

  static func make(_ objects: [FloorObject]) {
    tell(["objects": Set(objects)])
    tell(["objects": Set(objects)])
    tell(["ids": Set(objects.map { ID($0.key) })])
  }

  static let name = Notification.Name("Floor")

  static func tell(_ userInfo: [AnyHashable: Any]) {
    NotificationCenter.default.post(name: name, object: nil, userInfo: userInfo)
  }
}
