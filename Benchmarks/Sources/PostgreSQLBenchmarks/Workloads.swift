#if PostgreSQL
  import CoreData
  import Foundation
  import Samples

  /// The workloads, each compared with libpq.
  struct Workloads {
    private static let rows = 200_000
    private static let changes = 50_000
    private static let keys = 10_000

    let server: URL

    var all: [(name: String, measure: () throws -> Comparison)] {
      [
        ("fetch", fetching), ("insert", insertion), ("update", update), ("key", byKey),
        ("batch-insert", batchInsertion), ("batch-update", batchUpdate), ("batch-delete", batchDeletion),
      ]
    }

    private func fetching() throws -> Comparison {
      let schema = try SampleSchema.filled(server, Self.rows)
      let raw = try schema.raw()
      let expected = try raw.readAll()
      return Comparison(
        name: "fetch \(Self.rows) objects of 10 integers, and read all",
        contenders: [
          Comparison.Contender(name: "libpq") {
            {
              let sum = try raw.readAll()
              precondition(sum == expected)
            }
          },
          Comparison.Contender(name: "managed objects, accessors", bound: 2) {
            let context = schema.context()
            return {
              let sum = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample")).reduce(0) {
                $0 &+ $1.sum
              }
              precondition(sum == expected)
            }
          },
        ]
      )
    }

    private func insertion() throws -> Comparison {
      Comparison(
        name: "insert \(Self.changes) objects, one save",
        contenders: [
          Comparison.Contender(name: "libpq, arrays by 1000") {
            let schema = try SampleSchema(server)
            let raw = try schema.raw()
            return {
              try raw.insert(Self.changes)
              withExtendedLifetime(schema) {}
            }
          },
          Comparison.Contender(name: "managed objects", bound: 2.5) {
            let schema = try SampleSchema(server)
            let context = schema.context()
            return {
              for row in 0..<Self.changes { Sample(context: context).fill(row) }
              try context.save()
              withExtendedLifetime(schema) {}
            }
          },
        ]
      )
    }

    private func update() throws -> Comparison {
      Comparison(
        name: "change one attribute in \(Self.changes) fetched objects, save",
        contenders: [
          Comparison.Contender(name: "libpq, arrays by 1000") {
            let schema = try SampleSchema.filled(server, Self.changes)
            let raw = try schema.raw()
            return {
              try raw.update(Self.changes)
              withExtendedLifetime(schema) {}
            }
          },
          Comparison.Contender(name: "managed objects", bound: 2) {
            let schema = try SampleSchema.filled(server, Self.changes)
            let (context, samples) = try schema.fetched()
            return {
              for (row, sample) in samples.enumerated() { sample.a0 = Int64(row + 7) }
              try context.save()
              withExtendedLifetime(schema) {}
            }
          },
        ]
      )
    }

    private func byKey() throws -> Comparison {
      let schema = try SampleSchema.filled(server, Self.rows)
      let raw = try schema.raw()
      let keys = (0..<Self.keys).map { Int64($0 * 19 % Self.rows + 1) }
      let ids = keys.compactMap(schema.objectID)
      let expected = try raw.readByKey(keys)
      return Comparison(
        name: "fetch one by primary key, not registered, \(Self.keys) times",
        contenders: [
          Comparison.Contender(name: "libpq, prepared") {
            {
              let sum = try raw.readByKey(keys)
              precondition(sum == expected)
            }
          },
          Comparison.Contender(name: "existingObject(with:)", bound: 1.3) {
            let context = schema.context()
            return {
              var sum: Int64 = 0
              for id in ids { sum &+= (try context.existingObject(with: id) as? Sample)?.sum ?? 0 }
              precondition(sum == expected)
            }
          },
        ]
      )
    }

    private func batchInsertion() throws -> Comparison {
      Comparison(
        name: "batch insertion of \(Self.changes) objects",
        contenders: [
          Comparison.Contender(name: "libpq, COPY in binary form") {
            let schema = try SampleSchema(server)
            let raw = try schema.raw()
            return {
              try raw.copy(Self.changes)
              withExtendedLifetime(schema) {}
            }
          },
          Comparison.Contender(name: "NSBatchInsertRequest", bound: 3.5) {
            let schema = try SampleSchema(server)
            let context = schema.context()
            return {
              var row = 0
              let request = NSBatchInsertRequest(entity: Sample.entity()) { (object: NSManagedObject) in
                guard row < Self.changes else { return true }
                (object as? Sample)?.fill(row)
                row += 1
                return false
              }
              request.resultType = .count
              let result = try context.execute(request) as? NSBatchInsertResult
              precondition(result?.result as? Int == Self.changes)
              withExtendedLifetime(schema) {}
            }
          },
        ]
      )
    }

    private func batchUpdate() throws -> Comparison {
      try batch(
        "batch update of one attribute of \(Self.changes) objects",
        "UPDATE sample SET a0 = 7, z_opt = z_opt + 1 WHERE a1 >= 0"
      ) {
        let request = NSBatchUpdateRequest(entity: Sample.entity())
        request.predicate = NSPredicate(format: "a1 >= 0")
        request.propertiesToUpdate = ["a0": 7]
        return request
      }
    }

    private func batchDeletion() throws -> Comparison {
      try batch(
        "batch deletion of \(Self.changes) objects",
        "DELETE FROM sample WHERE a1 >= 0"
      ) {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Sample")
        request.predicate = NSPredicate(format: "a1 >= 0")
        return NSBatchDeleteRequest(fetchRequest: request)
      }
    }

    private func batch(
      _ name: String,
      _ sql: String,
      _ request: @escaping () -> NSPersistentStoreRequest
    ) throws -> Comparison {
      Comparison(
        name: name,
        contenders: [
          Comparison.Contender(name: "libpq") {
            let schema = try SampleSchema.filled(server, Self.changes)
            let raw = try schema.raw()
            return {
              try raw.execute(sql)
              withExtendedLifetime(schema) {}
            }
          },
          Comparison.Contender(name: "batch request", bound: 1.1) {
            let schema = try SampleSchema.filled(server, Self.changes)
            let context = schema.context()
            // The contender opens its connection before the measured work.
            _ = try context.count(for: NSFetchRequest<any NSFetchRequestResult>(entityName: "Sample"))
            return {
              _ = try context.execute(request())
              withExtendedLifetime(schema) {}
            }
          },
        ]
      )
    }
  }
#endif
