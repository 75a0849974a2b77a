import CoreData
import Foundation
import GRDB

/// The cost of predicates: parsing their format, an indexed fetch, and a filter in memory.
struct PredicateWorkloads {
  private static let people = 100_000

  let files: SampleFiles
  var mappers: PythonMappers?

  func parse() throws -> Workload {
    let count = 10_000
    let raw = try RawSQLite(PeopleStore.make(files, count: 10).path)
    let names = ["a", "b", "c"]
    return Workload(
      title: "read \(count) times: name BEGINSWITH[cd] %@ AND ANY tags.name IN %@",
      contenders: [
        Contender("preparing the SQL that it becomes") {
          try raw.prepareAgain(PeopleStore.statement, count)
        },
        Contender("NSPredicate(format:)", [.times(2)]) {
          for _ in 0..<count {
            _ = NSPredicate(format: "name BEGINSWITH[cd] %@ AND ANY tags.name IN %@", "ab", names)
          }
        },
      ]
    )
  }

  func indexed() throws -> Workload {
    let count = 10_000
    let url = try PeopleStore.make(files, count: Self.people)
    let names = (0..<count).map { "name \($0 * 7 % Self.people)" }
    let raw = try RawSQLite(url.path)
    let expected = try raw.readByName(names)
    let store = try PeopleStore(url)
    var contenders = [
      Contender("C API") {
        let sum = try raw.readByName(names)
        precondition(sum == expected)
      },
      try indexed(PersonStruct.self, "GRDB struct", url, names, expected),
      try indexed(PersonCodable.self, "GRDB Codable", url, names, expected),
      try indexed(PersonRecord.self, "GRDB Record", url, names, expected),
    ]
    contenders += mappers?.contenders("index", count: count, expected: expected) { url } ?? []
    contenders += [
      Contender("fetch(_:)", [.times(2)]) {
        let context = store.context()
        let request = NSFetchRequest<Person>(entityName: "Person")
        var sum: Int64 = 0
        for name in names {
          request.predicate = PersonFloor.predicate(name)
          for person in try context.fetch(request) { sum &+= person.age }
        }
        precondition(sum == expected)
      },
      PersonFloor.byName(try RawSQLite(url.path, hasMutex: false), names, expected),
    ]
    return Workload(
      title: "fetch one of \(Self.people) objects by an indexed attribute, \(count) times",
      contenders: contenders
    )
  }

  func filter() throws -> Workload {
    let context = try PeopleStore(PeopleStore.make(files, count: Self.people)).context()
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    let expected = Self.people / 2
    let predicate = NSPredicate(format: "age >= 50 AND name != %@", "x")
    return Workload(
      title: "filter \(Self.people) objects in memory by age >= 50 AND name != \"x\"",
      contenders: [
        Contender("a closure with value(forKey:)") {
          let found = objects.filter { object in
            (object.value(forKey: "age") as? Int ?? 0) >= 50
              && object.value(forKey: "name") as? String != "x"
          }
          precondition(found.count == expected)
        },
        Contender("evaluate(with:)", [.times(5)]) {
          let found = objects.filter { predicate.evaluate(with: $0) }
          precondition(found.count == expected)
        },
      ]
    )
  }

  private func indexed<Form: GRDBPerson>(
    _ form: Form.Type,
    _ name: String,
    _ url: URL,
    _ names: [String],
    _ expected: Int64
  ) throws -> Contender {
    let queue = try GRDBFile.queue(url.path)
    return Contender(name) {
      let sum = try queue.read { database in
        try names.reduce(Int64(0)) { sum, name in
          let found = try Form.filter(Column("ZNAME") == name).fetchOne(database)
          return sum &+ (found?.age ?? 0)
        }
      }
      precondition(sum == expected)
    }
  }
}
