import CoreData
import Foundation
import GRDB
import Samples

/// Finds single objects by their keys.
struct KeyWorkloads {
  let files: SampleFiles
  let rows: Int
  var mappers: PythonMappers?

  func byKey() throws -> Workload {
    let count = 10_000
    let keys = (0..<count).map { Int64($0 * 19 % rows + 1) }
    let url = try files.original(rows: rows)
    let raw = try RawSQLite(url.path)
    let expected = try raw.readByKey(keys)
    let store = try SampleStore(url)
    let ids = try objectIDs(store, keys)
    var contenders = [
      Contender("C API") {
        let sum = try raw.readByKey(keys)
        precondition(sum == expected)
      },
      try byKey(SampleStruct.self, "GRDB struct", url, keys, expected),
      try byKey(SampleCodable.self, "GRDB Codable", url, keys, expected),
      try byKey(SampleRecord.self, "GRDB Record", url, keys, expected),
    ]
    contenders += mappers?.contenders("key", count: count, rows: rows, expected: expected) { url } ?? []
    contenders += [
      Contender("existingObject(with:)", [.times(1.4)]) {
        let context = store.context()
        var sum: Int64 = 0
        for id in ids { sum &+= (try context.existingObject(with: id) as? Sample)?.sum ?? 0 }
        precondition(sum == expected)
      },
      SampleFloors(files: files, count: count).byKey(
        try RawSQLite(url.path, hasMutex: false),
        keys,
        expected
      ),
      try SampleFloors(files: files, count: count).byKeyInQueue(url, keys, expected),
    ]
    return Workload(
      title: "fetch one by primary key, not registered, \(count) times",
      contenders: contenders
    )
  }

  func registered() throws -> Workload {
    let count = 100_000
    let store = try SampleStore(files.original(rows: rows))
    let context = store.context()
    let samples = try first(count, in: context)
    let ids = samples.map(\.objectID)
    let dictionary = Dictionary(
      uniqueKeysWithValues: samples.enumerated().map { (Int64($0), $1 as AnyObject) }
    )
    return Workload(
      title: "existingObject(with:) for a registered object, \(count) times",
      contenders: [
        Contender("[Int64: AnyObject]") {
          for index in 0..<count { precondition(dictionary[Int64(index)] != nil) }
        },
        Contender("existingObject(with:)", [.times(6)]) {
          for id in ids { _ = try context.existingObject(with: id) }
        },
      ]
    )
  }

  func saveOne() throws -> Workload {
    let count = 100
    let url = try files.make(rows: rows)
    let store = try SampleStore(url)
    let context = store.context()
    let samples = try first(100_000, in: context)
    let raw = try RawSQLite(url.path)
    var value: Int64 = 0
    return Workload(
      title: "save one changed object of \(samples.count) registered, \(count) times",
      contenders: [
        Contender("C API") {
          for row in 0..<count {
            try raw.execute(
              "UPDATE ZSAMPLE SET ZA0 = \(row), Z_OPT = Z_OPT + 1 WHERE Z_PK = \(150_000 + row)"
            )
          }
        },
        Contender("managed objects", [.times(3)]) {
          for index in 0..<count {
            value += 1
            samples[index].a0 = value
            try context.save()
          }
        },
      ]
    )
  }

  private func byKey<Form: GRDBSample>(
    _ form: Form.Type,
    _ name: String,
    _ url: URL,
    _ keys: [Int64],
    _ expected: Int64
  ) throws -> Contender {
    let queue = try GRDBFile.queue(url.path)
    return Contender(name) {
      let sum = try queue.read { database in
        try keys.reduce(Int64(0)) { sum, key in
          let found = try Form.fetchOne(database, key: key)
          return sum &+ (found?.sum ?? 0)
        }
      }
      precondition(sum == expected)
    }
  }

  private func first(_ count: Int, in context: NSManagedObjectContext) throws -> [Sample] {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = count
    return try context.fetch(request)
  }

  private func objectIDs(_ store: SampleStore, _ keys: [Int64]) throws -> [NSManagedObjectID] {
    let identifier = store.coordinator.persistentStores[0].identifier ?? ""
    return keys.compactMap { key in
      URL(string: "x-coredata://\(identifier)/Sample/p\(key)")
        .flatMap(store.coordinator.managedObjectID(forURIRepresentation:))
    }
  }
}
