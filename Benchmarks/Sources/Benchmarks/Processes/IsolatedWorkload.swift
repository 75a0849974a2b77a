import Foundation

/// A workload whose rounds each run in their own process, so that each round has its own peak memory.
struct IsolatedWorkload {
  /// The kinds of work that a process can do.
  enum Work: String, CaseIterable {
    case fetch, insert, change, delete, read, migration, memory
  }

  let work: Work
  /// The number of objects.
  let count: Int

  /// The workload, whose rounds run in other processes.
  ///
  /// - Parameters:
  ///   - files: the stores that the processes copy.
  ///   - names: the requested contenders; `nil` for all.
  func make(_ files: SampleFiles, contenders names: [String]? = nil) throws -> Workload {
    var workload = try self.workload(files)
    workload.contenders = workload.contenders.filter { names?.contains($0.name) ?? true }
      .map { contender in contender.moved { _ in try round(of: contender.name, files) } }
    return workload
  }

  private func workload(_ files: SampleFiles) throws -> Workload {
    let samples = SampleWorkloads(files: files, count: count)
    return switch work {
    case .fetch: try samples.fetch()
    case .insert: try samples.insert()
    case .change: try samples.change()
    case .delete: try samples.delete()
    case .read: try samples.read()
    case .migration: try MigrationWorkload(files: files, count: count).make()
    case .memory: try MemoryWorkload(files: files, count: count).make()
    }
  }

  // MARK: The parent process

  private func round(of contender: String, _ files: SampleFiles) throws -> Contender.Reading {
    // The stores are made first, because the child process must only copy them. Making one would use memory
    // of its own.
    for rows in [0, count] { _ = try files.original(rows: rows) }
    let copies = files.originals.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: copies) }
    let numbers = try ChildProgram.numbers(
      ChildProgram.own,
      [Self.option, work.rawValue, contender, "\(count)", files.originals.path, copies.path]
    )
    guard numbers.count == 2 else {
      throw ChildProgram.Failure(description: "the round of \(contender) printed no figures")
    }
    return Contender.Reading(value: numbers[0], peak: numbers[1])
  }

  // MARK: The child process

  private static let option = "--round"

  /// Runs one round if the arguments request it. Prints its figure and the peak memory in MB.
  ///
  /// - Returns: false if the arguments do not request a round.
  static func answer(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 6, arguments[0] == option, let work = Work(rawValue: arguments[1]),
      let count = Int(arguments[3])
    else { return false }
    let files = SampleFiles(
      originals: URL(fileURLWithPath: arguments[4]),
      copies: URL(fileURLWithPath: arguments[5])
    )
    let workload = try IsolatedWorkload(work: work, count: count).workload(files)
    guard let contender = workload.contenders.first(where: { $0.name == arguments[2] }) else { return false }
    let reading = try contender.round(workload.measure)
    print(reading.value, try Memory.peak(), terminator: "")
    return true
  }
}
