#if PostgreSQL
  import CoreData
  import Foundation
  import Samples

  /// Compares the number of saves per second of sixteen processes, each of one change, with pgbench, which
  /// runs the same statements.
  struct Commits {
    static let verb = "commit"
    private static let processes = 16
    private static let seconds = 5.0
    private static let rounds = 3

    let server: URL

    func show() throws {
      for history in [false, true] {
        let schema = try SampleSchema(server, options: Self.options(history: history))
        try schema.raw().insert(Self.processes)
        var rates: (pgbench: [Double], ours: [Double]) = ([], [])
        for _ in 0..<Self.rounds {
          rates.pgbench.append(try pgbench(schema, history: history))
          rates.ours.append(try objects(schema, history: history))
        }
        let (floor, ours) = (Comparison.median(rates.pgbench), Comparison.median(rates.ours))
        print("\ncommits of \(Self.processes) processes, \(history ? "with a history" : "without a history")")
        print(String(format: "  %-34@ %8.0f a second", "pgbench, the same statements" as NSString, floor))
        print(
          String(
            format: "  %-34@ %8.0f a second  %5.2f of that",
            "managed objects" as NSString,
            ours,
            ours / floor
          )
        )
      }
    }

    static func options(history: Bool) -> [AnyHashable: Any] {
      history ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : [:]
    }

    // MARK: - Managed objects

    private func objects(_ schema: SampleSchema, history: Bool) throws -> Double {
      let children = try (1...Self.processes).map { number in
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.verb, schema.name, "\(number)", history ? "history" : ""]
        process.standardOutput = output
        try process.run()
        return (process, output)
      }
      return children.reduce(0) { sum, child in
        let text = String(decoding: child.1.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.0.waitUntilExit()
        return sum + (Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
      }
    }

    /// One of the processes. It saves changes of its own object, and prints their number per second.
    static func commit(_ server: URL, _ arguments: [String]) throws {
      guard arguments.count == 3, let key = Int64(arguments[1]) else { return }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: SampleSchema.url(server, arguments[0]),
        options: options(history: arguments[2] == "history")
      )
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let request = NSFetchRequest<Sample>(entityName: "Sample")
      request.predicate = NSPredicate(
        format: "a0 == %lld OR a1 == %lld",
        Int64.max,
        Sample.value(Int(key) - 1, 1)
      )
      guard let sample = try context.fetch(request).first else { return }
      let start = ContinuousClock.now
      var count = 0
      while ContinuousClock.now - start < .seconds(seconds) {
        count += 1
        sample.a0 = Int64(count)
        try context.save()
      }
      print(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
    }

    // MARK: - pgbench

    private func pgbench(_ schema: SampleSchema, history: Bool) throws -> Double {
      let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(schema.name).sql")
      try Self.script(schema.name, history: history).write(to: script, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: script) }
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "pgbench", "--no-vacuum", "--protocol=prepared", "--client=\(Self.processes)",
        "--jobs=\(Self.processes)",
        "--time=\(Int(Self.seconds))", "--file=\(script.path)", server.absoluteString,
      ]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let rate = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }?.split(separator: " ")[2]
      return rate.flatMap { Double($0) } ?? 0
    }

    /// The statements of a save that changes one value.
    private static func script(_ schema: String, history: Bool) -> String {
      let name = { (table: String) in "\"\(schema)\".\(table)" }
      var lines = [
        "\\set row :client_id + 1",
        "BEGIN;",
        "SELECT pg_current_xact_id(), model_number FROM \(name("perennial_metadata")) FOR KEY SHARE;",
        "UPDATE \(name("sample")) SET a0 = a0 + 1, z_opt = z_opt + 1 WHERE z_pk = :row RETURNING z_pk;",
      ]
      if history {
        lines += [
          """
          INSERT INTO \(name("perennial_change")) (key, place, type, z_ent, z_pk, columns) \
          VALUES (gen_random_uuid(), 1, 1, 1, :row, '\\x01') RETURNING key \\gset
          """,
          """
          WITH clock AS (UPDATE \(name("perennial_clock")) SET last_transaction = last_transaction + 1, \
          last_change = last_change + 1 RETURNING last_transaction, last_change) \
          INSERT INTO \(name("perennial_transaction")) (number, key, first_change, timestamp, process_id) \
          SELECT last_transaction, :key, last_change, 0, 'pgbench' FROM clock RETURNING number;
          """,
        ]
      }
      return (lines + ["COMMIT;"]).joined(separator: "\n") + "\n"
    }
  }
#endif
