import CoreData
import Foundation

/// What a million objects need, and whether it is given back.
enum MemoryBenchmark {
  private static let count = 1_000_000

  static func show(_ files: SampleFiles) throws {
    // Made without objects, whose memory the first figure would count.
    let url = try files.make(rows: 0)
    try RawSQLite(url.path).insert(count)
    let store = try SampleStore(url)
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    // What is made once for a model and a connection is there before the first figure.
    request.fetchLimit = 1
    _ = try store.context().fetch(request).first?.sum
    request.fetchLimit = 0
    let start = Memory.inUse
    var held = 0
    for _ in 0..<3 { held = try fetchAll(store, request) - start }
    request.fetchBatchSize = 50
    let paged = try fetchAll(store, request, reading: 50) - start
    let end = Memory.inUse - start
    print(
      """

      \(count) objects of 10 integers, fetched and released
        held \(held / 1_000_000) MB, in batches of 50 \(paged / 1_000_000) MB (bound 60), afterwards \(end / 1000) kB
      """
    )
  }

  /// The memory in use while all objects are held.
  private static func fetchAll(_ store: SampleStore, _ request: NSFetchRequest<Sample>, reading: Int = count)
    throws -> Int
  {
    let context = store.context()
    let samples = try context.fetch(request)
    precondition(samples.count == count && samples.prefix(reading).reduce(0) { $0 &+ $1.sum } != 0)
    return withExtendedLifetime((context, samples)) { Memory.inUse }
  }
}

/// The memory that the program holds, in bytes: what the kernel counts as resident.
enum Memory {
  static var inUse: Int {
    // A file whose size is told as 0 has to be read to its end.
    let data = try? FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd()
    let fields = String(decoding: data ?? Data(), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
  }
}
