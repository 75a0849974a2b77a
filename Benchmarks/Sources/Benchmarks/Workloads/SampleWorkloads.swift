import CoreData
import Foundation
import GRDB
import Samples

/// Fetches, inserts, changes and deletes objects with ten integers. The contenders are SQLite's C API, GRDB's
/// three kinds of records, mappers in Python, and managed objects.
struct SampleWorkloads {
  let files: SampleFiles
  /// The number of objects.
  let count: Int
  /// The mappers in Python; `nil` if there are none.
  var mappers: PythonMappers?

  func fetch() throws -> Workload {
    let url = try files.original(rows: count)
    let raw = try RawSQLite(url.path)
    let expected = try raw.readAll()
    let store = try SampleStore(url)
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    var contenders = [
      Contender("C API") {
        let sum = try raw.readAll()
        precondition(sum == expected)
      },
      try fetch(SampleStruct.self, "GRDB struct", url, expected),
      try fetch(SampleCodable.self, "GRDB Codable", url, expected),
      try fetch(SampleRecord.self, "GRDB Record", url, expected),
    ]
    contenders += mappers?.contenders("fetch", count: count, expected: expected) { url } ?? []
    contenders += [
      Contender(Self.objects, [.times(2), .under("GRDB struct")]) {
        let context = store.context()
        let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sum }
        precondition(sum == expected)
      },
      Contender("managed objects, value(forKey:)", [.times(4.5)]) {
        let context = store.context()
        let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sumByKeys }
        precondition(sum == expected)
      },
      Contender("managed objects, none read", [.times(1.6)]) {
        let context = store.context()
        let found = try context.fetch(request).count
        precondition(found == count)
      },
    ]
    contenders += floors.fetch(try RawSQLite(url.path, hasMutex: false), expected)
    return Workload(title: "fetch \(count) objects of 10 integers, and read all", contenders: contenders)
  }

  func insert() throws -> Workload {
    var contenders = [
      Contender("C API", prepare: { try RawSQLite(files.make(rows: 0).path) }) { try $0.insert(count) },
      insert(SampleStruct.self, "GRDB struct"),
      insert(SampleCodable.self, "GRDB Codable"),
      insert(SampleRecord.self, "GRDB Record"),
    ]
    contenders += mappers?.contenders("insert", count: count) { try files.make(rows: 0) } ?? []
    contenders += [
      Contender(Self.objects, [.times(3)], prepare: { try SampleStore(files.make(rows: 0)) }) { store in
        let context = store.context()
        for row in 0..<count { Sample(context: context).fill(row) }
        try context.save()
      },
      floors.insert(),
    ]
    return Workload(title: "insert \(count) objects, one save", contenders: contenders)
  }

  func change() throws -> Workload {
    var contenders = [
      Contender("C API", prepare: { try RawSQLite(files.make(rows: count).path) }) { try $0.update(count) },
      change(SampleStruct.self, "GRDB struct"),
      change(SampleCodable.self, "GRDB Codable"),
      change(SampleRecord.self, "GRDB Record"),
    ]
    contenders += mappers?.contenders("change", count: count) { try files.make(rows: count) } ?? []
    contenders += [
      Contender(Self.objects, [.times(3)], prepare: { try files.fetched(count) }) { context, samples in
        for (row, sample) in samples.enumerated() { sample.a0 = Int64(row + 7) }
        try context.save()
      },
      floors.change(),
    ]
    return Workload(
      title: "change one attribute in \(count) fetched objects, save",
      contenders: contenders
    )
  }

  func delete() throws -> Workload {
    var contenders = [
      Contender("C API", prepare: { try RawSQLite(files.make(rows: count).path) }) { try $0.delete(count) },
      delete(SampleStruct.self, "GRDB struct"),
      delete(SampleCodable.self, "GRDB Codable"),
      delete(SampleRecord.self, "GRDB Record"),
    ]
    contenders += mappers?.contenders("delete", count: count) { try files.make(rows: count) } ?? []
    contenders += [
      Contender(Self.objects, [.times(3)], prepare: { try files.fetched(count) }) { context, samples in
        for sample in samples { context.delete(sample) }
        try context.save()
      },
      floors.delete(),
    ]
    return Workload(title: "delete \(count) fetched objects, save", contenders: contenders)
  }

  /// Reads all objects, with only a few of them in memory at a time.
  func read() throws -> Workload {
    let url = try files.original(rows: count)
    let raw = try RawSQLite(url.path)
    let queue = try GRDBFile.queue(url.path)
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
    return Workload(
      title: "read \(count) objects of 10 integers, some at a time",
      contenders: [
        Contender("C API") {
          let sum = try raw.readAll()
          precondition(sum != 0)
        },
        Contender("GRDB struct") {
          var sum: Int64 = 0
          try queue.read { database in
            let cursor = try SampleStruct.fetchCursor(database)
            while let sample = try cursor.next() { sum &+= sample.sum }
          }
          precondition(sum != 0)
        },
        Contender(Self.objects) {
          var sum: Int64 = 0
          try store.context().forEachBatch(of: request, size: 1000) { objects in
            for case let sample as Sample in objects { sum &+= sample.sum }
          }
          precondition(sum != 0)
        },
      ]
    )
  }

  /// The name of this library's contender in all of these workloads.
  static let objects = "managed objects"

  private var floors: SampleFloors { SampleFloors(files: files, count: count) }

  // MARK: GRDB

  private func fetch<Form: GRDBSample>(_ form: Form.Type, _ name: String, _ url: URL, _ expected: Int64)
    throws -> Contender
  {
    let queue = try GRDBFile.queue(url.path)
    return Contender(name) {
      let sum = try queue.read { try Form.fetchAll($0) }.reduce(0) { $0 &+ $1.sum }
      precondition(sum == expected)
    }
  }

  private func insert<Form: GRDBSample>(_ form: Form.Type, _ name: String) -> Contender {
    Contender(name, prepare: { try GRDBFile.queue(files.make(rows: 0).path) }) { queue in
      try queue.write { database in
        for row in 0..<count {
          var sample = Form(number: row)
          try sample.insert(database)
        }
      }
    }
  }

  private func change<Form: GRDBSample>(_ form: Form.Type, _ name: String) -> Contender {
    Contender(name, prepare: { try fetched(form) }) { queue, samples in
      try queue.write { database in
        for (row, sample) in samples.enumerated() {
          var changed = sample
          try changed.write(first: Int64(row + 7), database)
        }
      }
    }
  }

  private func delete<Form: GRDBSample>(_ form: Form.Type, _ name: String) -> Contender {
    Contender(name, prepare: { try fetched(form) }) { queue, samples in
      try queue.write { database in
        for sample in samples { try sample.delete(database) }
      }
    }
  }

  private func fetched<Form: GRDBSample>(_ form: Form.Type) throws -> (DatabaseQueue, [Form]) {
    let queue = try GRDBFile.queue(files.make(rows: count).path)
    let samples = try queue.read { try Form.fetchAll($0) }
    precondition(samples.count == count)
    return (queue, samples)
  }
}
