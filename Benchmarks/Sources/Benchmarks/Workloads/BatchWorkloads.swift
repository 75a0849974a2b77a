import CoreData
import Foundation
import Samples

/// Batch requests, compared with the same statements in the C API.
struct BatchWorkloads {
  let files: SampleFiles
  let count: Int

  func insertObjects() -> Workload {
    Workload(
      title: "batch insertion of \(count) objects from a managed-object handler",
      contenders: [
        Contender("C API", prepare: { try RawSQLite(files.make(rows: 0).path) }) { try $0.insert(count) },
        Contender("NSBatchInsertRequest", [.times(1.8)], prepare: { try SampleStore(files.make(rows: 0)) }) {
          store in
          var row = 0
          let request = NSBatchInsertRequest(entity: Sample.entity()) { (object: NSManagedObject) in
            guard row < count, let sample = object as? Sample else { return true }
            sample.fill(row)
            row += 1
            return false
          }
          try insert(request, into: store)
        },
      ]
    )
  }

  func insertDictionaries() -> Workload {
    Workload(
      title: "batch insertion of \(count) objects from a dictionary handler",
      contenders: [
        Contender(
          "the same dictionaries by the C API",
          prepare: { try RawSQLite(files.make(rows: 0).path) }
        ) { try insertDictionaries(by: $0) },
        Contender("C API, no dictionaries", prepare: { try RawSQLite(files.make(rows: 0).path) }) {
          try $0.insert(count)
        },
        Contender("NSBatchInsertRequest", [.times(1.2)], prepare: { try SampleStore(files.make(rows: 0)) }) {
          store in
          var row = 0
          let request = NSBatchInsertRequest(entity: Sample.entity()) { (values: NSMutableDictionary) in
            guard row < count else { return true }
            Self.fill(values, row)
            row += 1
            return false
          }
          try insert(request, into: store)
        },
      ]
    )
  }

  func update() -> Workload {
    Workload(
      title: "batch update of one attribute of \(count) objects",
      contenders: [
        Contender("C API", prepare: { try RawSQLite(files.make(rows: count).path) }) {
          try $0.execute("UPDATE ZSAMPLE SET ZA0 = 7, Z_OPT = Z_OPT + 1 WHERE ZA1 >= 0")
        },
        Contender(
          "NSBatchUpdateRequest",
          [.times(1.1)],
          prepare: { try SampleStore(files.make(rows: count)) }
        ) { store in
          let request = NSBatchUpdateRequest(entityName: "Sample")
          request.predicate = NSPredicate(format: "a1 >= 0")
          request.propertiesToUpdate = ["a0": 7]
          request.resultType = .updatedObjectsCountResultType
          let result = try store.context().execute(request) as? NSBatchUpdateResult
          precondition(result?.result as? Int == count)
        },
      ]
    )
  }

  func delete() -> Workload {
    Workload(
      title: "batch deletion of \(count) objects",
      contenders: [
        Contender("C API", prepare: { try RawSQLite(files.make(rows: count).path) }) {
          try $0.execute("DELETE FROM ZSAMPLE WHERE ZA1 >= 0")
        },
        Contender(
          "NSBatchDeleteRequest",
          [.times(1.1)],
          prepare: { try SampleStore(files.make(rows: count)) }
        ) { store in
          let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Sample")
          fetch.predicate = NSPredicate(format: "a1 >= 0")
          let request = NSBatchDeleteRequest(fetchRequest: fetch)
          request.resultType = .resultTypeCount
          let result = try store.context().execute(request) as? NSBatchDeleteResult
          precondition(result?.result as? Int == count)
        },
      ]
    )
  }

  private func insert(_ request: NSBatchInsertRequest, into store: SampleStore) throws {
    request.resultType = .count
    let result = try store.context().execute(request) as? NSBatchInsertResult
    precondition(result?.result as? Int == count)
  }

  // MARK: Handwritten dictionaries

  private func insertDictionaries(by raw: RawSQLite) throws {
    var values = NSMutableDictionary()
    try raw.insert(0..<count) { row, column in
      if column == 0 {
        values = NSMutableDictionary()
        Self.fill(values, row)
      }
      return try Self.integer(values[Sample.keys[column]])
    }
  }

  private static func fill(_ values: NSMutableDictionary, _ row: Int) {
    for (column, key) in Sample.keys.enumerated() { values[key] = Sample.value(row, column) }
  }

  private static func integer(_ value: Any?) throws -> Int64 {
    switch value {
    case let number as NSNumber: return number.int64Value
    case let integer as Int64: return integer
    default: throw RawSQLite.Failure(description: "\(value ?? "nil") is not an integer")
    }
  }
}
