import CoreData
import Foundation

/// Reads the records of all seeds of a run in the order of their files, numbered from 0, as often as need be.
final class SeedRecordStream {
  /// A record with its number among all records of the run.
  struct Numbered {
    let number: Int
    let record: PlannedRecord
  }

  private let seeds: [LoadedSeed]
  /// The records that are left out; nil where one that is wrong ends the run.
  private let failures: RecordFailures?
  private var planner: RecordPlanner
  private var reader: (any SeedRecordReader)?
  private var bytes: SeedBytes?
  private var next = (seed: 0, record: 0)
  /// The number of bytes in the seeds before the current one.
  private var bytesBefore = 0
  /// The number of each seed's first record, as far as they have been read.
  private var starts: [Int] = []

  /// The number of records that each seed has of each entity, by the seed's index: complete when
  /// all have been read once.
  private(set) var counts: [[String: Int]]
  private var countsAreComplete = false

  /// The entities of which a seed has a list without records, as far as they have been read.
  private(set) var emptyEntities: [NSEntityDescription] = []

  /// The relationships that the records read so far have set.
  private(set) var stated = StatedRelationships()

  /// True when all records were given.
  private(set) var isAtEnd = false

  init(seeds: [LoadedSeed], planner: RecordPlanner, failures: RecordFailures?) {
    self.failures = failures
    self.seeds = seeds
    self.planner = planner
    counts = seeds.map { _ in [:] }
  }

  /// The natural keys of the model's entities, with those that the headers read so far declare.
  var naturalKeys: NaturalKeys { planner.shapes.naturalKeys }

  /// The number of bytes of all seeds.
  var size: Int { seeds.reduce(0) { $0 + $1.size } }

  /// The number of bytes that were read since the first record.
  var bytesRead: Int { bytesBefore + (bytes?.position ?? 0) }

  /// The number of bytes that the planned records have loaded from files.
  var fileBytes: Int { planner.computed.usage.bytes }

  /// The largest number of bytes of files that are in memory together, without those of the last record.
  static let mostFileBytes = 64 << 20

  /// The next records up to a number, planned if their numbers are wanted. Fewer if they load many bytes of files.
  func records(
    atMost count: Int,
    fileBytes mostFileBytes: Int = SeedRecordStream.mostFileBytes,
    where isWanted: (Int) -> Bool = { _ in true }
  ) throws -> [Numbered] {
    var records: [Numbered] = []
    records.reserveCapacity(min(count, 10_000))
    let usedBefore = fileBytes
    while records.count < count, fileBytes - usedBefore < mostFileBytes {
      guard let record = try nextRecord() else {
        isAtEnd = true
        break
      }
      guard !record.isHeader else {
        _ = try planner.plan(record)
        continue
      }
      if record.isEmptyList {
        for entity in try planner.entities(ofEmptyList: record) where !emptyEntities.contains(entity) {
          emptyEntities.append(entity)
        }
        continue
      }
      defer { next.record += 1 }
      guard isWanted(next.record), failures?.contains(next.record) != true else { continue }
      for planned in try plan(record) {
        planned.seed = next.seed
        stated.add(planned)
        planned.isUnchangedSeed = seeds[next.seed].isUnchangedSeed
        if !countsAreComplete { counts[next.seed][planned.shape.name, default: 0] += 1 }
        records.append(Numbered(number: next.record, record: planned))
      }
    }
    return records
  }

  /// The record and its nested records; empty if the record has an error and is left out.
  private func plan(_ record: SeedRecord) throws -> [PlannedRecord] {
    do {
      return try planner.plan(record)
    } catch let error as SeedError {
      let error = error.code == .unknownKey ? namingOtherKeys(error, of: record) : error
      guard let failures else { throw error }
      failures.add(error, of: next.record)
      return []
    }
  }

  /// The error for an unknown key, extended with the record's other unknown keys and, if the run
  /// ends, with those of the records after it.
  private func namingOtherKeys(_ error: SeedError, of record: SeedRecord) -> SeedError {
    var keys = UnknownKeys()
    planner.collectUnknownKeys(of: record, in: &keys)
    guard failures == nil else { return keys.naming(error) }
    let seed = next.seed
    var count = 0
    while !keys.isFull, count < UnknownKeys.mostRecords, let other = try? nextRecord(),
      next.seed == seed
    {
      if !other.isHeader, !other.isEmptyList { planner.collectUnknownKeys(of: other, in: &keys) }
      count += 1
    }
    return keys.naming(error)
  }

  /// Removes a record from the counts that was left out after it had been planned.
  func uncount(_ number: Int, of entity: String) {
    guard let seed = starts.lastIndex(where: { $0 <= number }) else { return }
    counts[seed][entity, default: 0] -= 1
  }

  /// Goes back to the first record.
  func restart() {
    countsAreComplete = countsAreComplete || isAtEnd
    if !countsAreComplete { counts = seeds.map { _ in [:] } }
    isAtEnd = false
    next = (0, 0)
    planner.restart()
    reader = nil
    bytes = nil
    bytesBefore = 0
  }

  /// Checks that no file was changed while it was read.
  ///
  /// - Throws: A `SeedError` when one was.
  func checkIsUnchanged() throws {
    for seed in seeds { try seed.checkIsUnchanged() }
  }

  private func nextRecord() throws -> SeedRecord? {
    while next.seed < seeds.count {
      if reader == nil {
        (reader, bytes) = try seeds[next.seed].reading()
        if starts.count == next.seed { starts.append(next.record) }
        planner.beginSource(seeds[next.seed].files)
      }
      if let record = try reader?.next() { return record }
      bytesBefore = bytesRead
      reader = nil
      bytes = nil
      next.seed += 1
    }
    return nil
  }
}
