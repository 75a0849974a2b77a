/// Does some work, and throws where it asks the stores of a container more often than expected.
///
/// A statement is one request to the stores: a fetch, a count, the values of one object, the destinations of a
/// relationship, a batch request or a save. Stores in SQLite and PostgreSQL answer a request that reads by one SELECT.
/// The number includes the statements of other tasks, so a test should use a container of its own.
///
/// Swift Testing and XCTest both fail a test that throws, and print the error with the statements:
///
/// ```swift
/// try await expectStatements(atMost: 2, in: container) {
///   try await container.performBackgroundTask { context in
///     let request = NSFetchRequest<Note>(entityName: "Note")
///     request.relationshipKeyPathsForPrefetching = ["author"]
///     return try context.fetch(request).filter { $0.author?.name != nil }.count
///   }
/// }
/// ```
///
/// - Parameters:
///   - limit: the most statements.
///   - container: the container whose stores are asked.
///   - fileID: the file of the call, for the error.
///   - line: the line of the call, for the error.
///   - work: the work.
/// - Returns: what the work returns.
/// - Throws: a ``StatementCountError``, and what the work throws.
@discardableResult
nonisolated(nonsending) public func expectStatements<Result>(
  atMost limit: Int,
  in container: NSPersistentContainer,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  _ work: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  let monitoring = container.persistentStoreCoordinator.monitoring
  let outer = monitoring.monitor
  let recorder = WorkRecorder(outer)
  monitoring.monitor = recorder
  defer { monitoring.monitor = outer }
  let result = try await work()
  let (count, lines) = recorder.recorded
  if count > limit {
    throw StatementCountError(limit: limit, count: count, statements: lines, place: "\(fileID):\(line)")
  }
  return result
}
