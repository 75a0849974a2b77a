import CSystemSQLite

extension Database {
  /// A function of SQL, as SQLite keeps it.
  private final class Function {
    let body: ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?

    init(_ body: @escaping ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?) { self.body = body }

    func answer(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
      do {
        let value = try body(arguments.map { DatabaseValue($0) })
        (value?.databaseValue ?? .null).become(resultOf: context)
      } catch let error as DatabaseError {
        sqlite3_result_error(context, error.message ?? error.description, -1)
        sqlite3_result_error_code(context, error.extendedResultCode.rawValue)
      } catch {
        sqlite3_result_error(context, "\(error)", -1)
      }
    }
  }

  /// Adds a function of SQL, or replaces one.
  ///
  /// - Parameter body: called with the arguments; `nil` is null, and what it throws fails the statement. SQLite keeps it
  ///   until the function is removed or the connection closed.
  package func addFunction(
    _ name: String,
    argumentCount: Int,
    _ body: @escaping ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) {
    // SQLite owns the function, and releases it also where it cannot be added.
    sqlite3_create_function_v2(
      sqliteConnection,
      name,
      Int32(argumentCount),
      SQLITE_UTF8,
      Unmanaged.passRetained(Function(body)).toOpaque(),
      { context, count, arguments in
        guard let function = sqlite3_user_data(context) else { return }
        Unmanaged<Function>.fromOpaque(function).takeUnretainedValue()
          .answer(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
      },
      nil,
      nil,
      { function in function.map { Unmanaged<Function>.fromOpaque($0).release() } }
    )
  }

  package func removeFunction(_ name: String, argumentCount: Int) {
    sqlite3_create_function_v2(
      sqliteConnection,
      name,
      Int32(argumentCount),
      SQLITE_UTF8,
      nil,
      nil,
      nil,
      nil,
      nil
    )
  }

  /// Compares the bytes of two texts.
  package typealias TextComparison = (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int32

  /// An order of texts, as SQLite keeps it.
  private final class Collation {
    let compare: TextComparison
    init(_ compare: @escaping TextComparison) { self.compare = compare }
  }

  /// Adds an order of texts.
  ///
  /// - Parameter compare: answers a negative number, zero or a positive one for UTF-8. SQLite keeps it until the
  ///   connection is closed.
  package func addCollation(_ name: String, compare: @escaping TextComparison) {
    let collation = Unmanaged.passRetained(Collation(compare))
    let code = sqlite3_create_collation_v2(
      sqliteConnection,
      name,
      SQLITE_UTF8,
      collation.toOpaque(),
      { collation, firstCount, first, secondCount, second in
        guard let collation else { return 0 }
        func bytes(_ start: UnsafeRawPointer?, count: Int32) -> UnsafeBufferPointer<UInt8> {
          UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
        }
        return Unmanaged<Collation>.fromOpaque(collation).takeUnretainedValue()
          .compare(bytes(first, count: firstCount), bytes(second, count: secondCount))
      },
      { collation in collation.map { Unmanaged<Collation>.fromOpaque($0).release() } }
    )
    // Unlike a function, SQLite releases no collation that cannot be added.
    if code != SQLITE_OK { collation.release() }
  }
}
