import CoreData
import Foundation
import GRDB
import GRDBSQLite
import Samples

/// The least cost of objects with ten integers: SQLite's C API, an object for each row, a map that finds it
/// by its key, and the sets of objects in the notifications of a save.
struct SampleFloors {
  static let name = "the floor"

  let files: SampleFiles
  let count: Int

  // MARK: Reading

  func fetch(_ raw: RawSQLite, _ expected: Int64) -> [Contender] {
    func contender(_ name: String, _ read: @escaping ([FloorSample]) -> Bool) -> Contender {
      Contender(name) {
        let isRight = read(try raw.readObjects(count, in: FloorMap(capacity: count)))
        precondition(isRight)
      }
    }
    return [
      contender(Self.name) { $0.reduce(0) { $0 &+ $1.sum } == expected },
      contender("\(Self.name), values boxed by their names") {
        $0.reduce(0) { $0 &+ $1.sumByKeys } == expected
      },
      contender("\(Self.name), none read") { $0.count == count },
    ]
  }

  func byKey(_ raw: RawSQLite, _ keys: [Int64], _ expected: Int64) -> Contender {
    Contender(Self.name) {
      let sum = try raw.readObjectsByKey(keys, in: FloorMap())
      precondition(sum == expected)
    }
  }

  /// The same look-ups, each as a read in GRDB's queue, which serializes the use of a store's connection.
  func byKeyInQueue(_ url: URL, _ keys: [Int64], _ expected: Int64) throws -> Contender {
    let queue = try GRDBFile.queue(url.path)
    return Contender("\(Self.name), in GRDB's queue") {
      let map = FloorMap()
      var sum: Int64 = 0
      for key in keys where map.object(key) == nil {
        try queue.unsafeRead { database in
          let statement = try database.cachedStatement(sql: RawSQLite.selection + " WHERE Z_PK = ?")
            .sqliteStatement
          sqlite3_bind_int64(statement, 1, key)
          if sqlite3_step(statement) == SQLITE_ROW { sum &+= FloorSample(statement, in: map).sum }
          sqlite3_reset(statement)
        }
      }
      precondition(sum == expected)
    }
  }

  // MARK: Writing

  func insert() -> Contender {
    Contender(Self.name, prepare: { try RawSQLite(files.make(rows: 0).path, hasMutex: false) }) { raw in
      let map = FloorMap()
      let objects = (0..<count).map { FloorSample(number: $0, in: map) }
      try raw.insert(0..<count) { objects[$0][$1] }
      FloorNotifications.make(objects)
    }
  }

  func change() -> Contender {
    Contender(Self.name, prepare: fetched) { fetched in
      for (row, object) in fetched.objects.enumerated() { object[0] = Int64(row + 7) }
      try fetched.raw.update(count)
      FloorNotifications.make(fetched.objects)
    }
  }

  func delete() -> Contender {
    Contender(Self.name, prepare: fetched) { fetched in
      try fetched.raw.delete(count)
      FloorNotifications.make(fetched.objects)
      for object in fetched.objects { fetched.map.remove(object.key) }
    }
  }

  private struct Fetched {
    let raw: RawSQLite
    let objects: [FloorSample]
    let map: FloorMap
  }

  private func fetched() throws -> Fetched {
    let (raw, map) = (try RawSQLite(files.make(rows: count).path, hasMutex: false), FloorMap(capacity: count))
    return Fetched(raw: raw, objects: try raw.readObjects(count, in: map), map: map)
  }

  /// Makes the objects of a child context again in its parent. Both contexts post notifications.
  static func childSave(_ count: Int) -> Contender {
    func filled() -> [FloorSample] {
      let map = FloorMap()
      return (0..<count).map { FloorSample(number: $0, in: map) }
    }
    return Contender(name, prepare: filled) { objects in
      let parent = FloorMap()
      let copies = objects.map { FloorSample(copyOf: $0, in: parent) }
      FloorNotifications.make(objects)
      FloorNotifications.tell(["objects": Set(copies)])
    }
  }

  // MARK: Holding

  func hold(_ url: URL, _ megabytes: @escaping (() throws -> [FloorObject]) throws -> Double) -> [Contender] {
    func contender(_ name: String, _ make: @escaping (RawSQLite, FloorMap) throws -> [FloorObject])
      -> Contender
    {
      Contender(name) { _ in
        let raw = try RawSQLite(url.path, hasMutex: false)
        return .init(value: try megabytes { try make(raw, FloorMap(capacity: count)) })
      }
    }
    return [
      contender(Self.name) { try $0.readObjects(count, in: $1) },
      contender("\(Self.name), no values") { raw, map in
        try raw.readKeys(count).map { FloorFault($0, in: map) }
      },
    ]
  }
}

extension RawSQLite {
  fileprivate func readObjects(_ count: Int, in map: FloorMap) throws -> [FloorSample] {
    var objects: [FloorSample] = []
    objects.reserveCapacity(count)
    try each(Self.selection) { objects.append(FloorSample($0, in: map)) }
    return objects
  }

  fileprivate func readKeys(_ count: Int) throws -> [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    try each("SELECT Z_PK FROM ZSAMPLE") { keys.append(sqlite3_column_int64($0, 0)) }
    return keys
  }

  fileprivate func readObjectsByKey(_ keys: [Int64], in map: FloorMap) throws -> Int64 {
    let statement = try prepare(Self.selection + " WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    var sum: Int64 = 0
    for key in keys where map.object(key) == nil {
      sqlite3_bind_int64(statement, 1, key)
      if sqlite3_step(statement) == SQLITE_ROW { sum &+= FloorSample(statement, in: map).sum }
      sqlite3_reset(statement)
    }
    return sum
  }
}
