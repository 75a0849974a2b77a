import Foundation

/// Runs the workloads that the arguments request.
final class BenchmarkRun {
  private let options: BenchmarkOptions
  private let files: SampleFiles
  private let mappers: PythonMappers?
  private let runner: Runner
  private var report: Report
  private var isComplete = true

  init(_ options: BenchmarkOptions, files: SampleFiles) throws {
    self.options = options
    self.files = files
    let mappers = try options.python.map(PythonMappers.init(interpreter:))
    self.mappers = mappers
    runner = Runner(rounds: options.rounds)
    report = Report(machine: Machine(mappers), rounds: options.rounds)
  }

  /// - Returns: false if a workload has failed, or misses a bound that it must meet.
  func run() async throws -> Bool {
    let catalogue = Catalogue(files: files, mappers: mappers, command: options.command)
    try checkNames(catalogue)
    for entry in catalogue.entries where isWanted(entry.name) { try measure(entry) }
    if options.hasSizes || options.names.contains(Self.sizes) { try measureSizes() }
    // These workloads print their own lines, and run only if they are requested by name.
    if options.names.contains(Self.released) { try ReleasedMemory.show(files) }
    if options.names.contains(Self.servers) {
      try await ServerPatterns.show(NoteStore.make(files, count: ServerPatterns.notes))
    }
    return isComplete
  }

  private static let (sizes, released, servers) = ("sizes", "released", "servers")

  private func isWanted(_ name: String) -> Bool { options.names.isEmpty || options.names.contains(name) }

  private func checkNames(_ catalogue: Catalogue) throws {
    let known = catalogue.entries.map(\.name) + [Self.sizes, Self.released, Self.servers]
    for name in options.names where !known.contains(name) {
      throw BenchmarkOptions.Mistake(
        description: "there is no workload \(name); there are \(known.joined(separator: ", "))"
      )
    }
  }

  /// Measures a workload. If it fails, the other workloads still run.
  private func measure(_ entry: Catalogue.Entry) throws {
    do {
      let outcome = try runner.run(chosen(entry.make()))
      print("\n\(OutcomeText(outcome).plain)")
      report.outcomes.append(outcome)
      if entry.failsOnMiss, outcome.hasMisses { isComplete = false }
    } catch {
      print("\n\(entry.name): not measured: \(error)")
      report.omissions.append(.init(name: entry.name, reason: "\(error)"))
      if !(error is NotMeasured) { isComplete = false }
    }
    try write()
  }

  /// The workload with only the requested contenders. It has no bounds, because bounds depend on the other contenders.
  private func chosen(_ workload: Workload) throws -> Workload {
    if options.contenders.isEmpty { return workload }
    var workload = workload
    workload.contenders = workload.contenders.filter { options.contenders.contains($0.name) }
      .map { Contender($0.name, measuring: $0.round) }
    if workload.contenders.isEmpty { throw NotMeasured(description: "none of its contenders was asked for") }
    return workload
  }

  private func measureSizes() throws {
    for work in SizeSeries.Work.all {
      let series = try SizeSeries(work, files: files, runner: runner)
      print("\n\(series.markdown)")
      report.series.append(series)
      try write()
    }
  }

  /// Writes the figures so far, so that they are kept if a later workload fails.
  private func write() throws {
    if let file = options.results { try Data(report.markdown.utf8).write(to: file, options: .atomic) }
    if let file = options.chart { try FigureChart.write(report.outcomes, to: file) }
  }
}
