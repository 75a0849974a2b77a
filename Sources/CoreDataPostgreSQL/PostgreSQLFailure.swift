#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Converts PostgreSQL's errors to those of the framework. Their messages do not say whether the store was changed,
  /// because only the caller knows.
  enum PostgreSQLFailure {
    /// The key in the user info of the server's five letters for what happened: the SQLSTATE.
    static let stateKey = "PostgreSQLState"

    /// The error that a program gets for one of the server or of a connection to it.
    ///
    /// - Parameters:
    ///   - error: anything but a `PostgreSQLError` passes through.
    ///   - store: the URL of the store, without its password.
    ///   - doing: the failed operation, as the beginning of the message: "The save failed".
    static func error(_ error: any Error, store: URL?, doing: String) -> any Error {
      if let unanswerable = error as? SQLUntranslatable { return StoreFailure.naming(store, in: unanswerable.error) }
      if let ended = error as? StoreCallEnded { return ended.error(file: store) }
      if error is StoreClosing {
        return StoreFailure.error(
          NSPersistentStoreOperationError,
          message: "\(doing): \(store?.absoluteString ?? "the store") is being closed.",
          file: store
        )
      }
      guard let error = error as? PostgreSQLError else { return StoreFailure.naming(store, in: error) }
      if error.isCancelled || error.isTimeout, let end = StoreCall.current?.end {
        return StoreCallEnded(end: end, subject: "at work on the store").error(file: store)
      }
      if error.isUnreplicated {
        return StoreFailure.error(
          NSPersistentStoreSaveError,
          message: """
            \(store?.absoluteString ?? "The store"): \(error.message) Fetch the objects to see what was kept, before the work is \
            repeated.
            """,
          file: store,
          details: [stateKey: error.state, NSUnderlyingErrorKey: error]
        )
      }
      let (code, general) = codeAndRemedy(error)
      let advice = error.isConnectionRefused ? error.hint ?? general : general
      let remedy = advice.isEmpty ? "" : " \(advice)"
      return StoreFailure.error(
        code,
        message:
          "\(doing): \(store?.absoluteString ?? "the store"): \(error.message) (PostgreSQL \(error.state)).\(remedy)",
        file: store,
        details: [stateKey: error.state, NSUnderlyingErrorKey: error]
      )
    }

    /// The error for work that may throw errors of the application, which are passed through.
    static func errorOfStore(_ error: any Error, store: URL?, doing: String) -> any Error {
      let isOfStore = error is PostgreSQLError || error is StoreClosing || error is StoreCallEnded
      return isOfStore ? Self.error(error, store: store, doing: doing) : error
    }

    /// The error of a write that would wait for the transaction that it is called in.
    static var nestedWrite: NSError {
      StoreFailure.error(NSPersistentStoreOperationError, message: NestedWrite.problem)
    }

    /// The error of a save whose outcome is unknown.
    ///
    /// - Parameter cause: the reason for which the server has not reported the outcome.
    static func unknownOutcome(_ address: PostgreSQLAddress, cause: any Error) -> any Error {
      let reason = (cause as? PostgreSQLError)?.message ?? "the store is being closed."
      return StoreFailure.error(
        NSPersistentStoreSaveError,
        message: """
          \(address.description): the connection was lost while the save was committed, and the server could not be asked \
          since whether it was: \(reason) Fetch the objects to see what was kept, before the save is repeated.
          """,
        details: [NSUnderlyingErrorKey: cause]
      )
    }

    /// The remedy where a connection pooler was not detected.
    static let poolerRemedy = """
      A connection pooler stands before the server and gives a connection the sessions of others: add without=sessions \
      to the URL of the store.
      """

    private static func codeAndRemedy(_ error: PostgreSQLError) -> (Int, String) {
      if error.isOfOtherSession { return (NSPersistentStoreOperationError, poolerRemedy) }
      if error.isOfRowSecurity {
        return (
          CocoaError.fileReadNoPermission.rawValue,
          """
          A row-level security policy hides rows from the role, and all of them are needed: connect as the owner of the \
          tables, or as a role that has BYPASSRLS.
          """
        )
      }
      if error.isConnectionLost {
        return (NSPersistentStoreOperationError, "Try again when the server can be reached.")
      }
      if error.isLockTimeout {
        return (
          NSPersistentStoreTimeoutError,
          "Others held what was to be changed. Try again, or wait longer with NSPersistentStoreTimeoutOption."
        )
      }
      if error.isSerializationFailure || error.isDeadlock {
        return (
          NSPersistentStoreSaveError,
          "Others changed the same objects at the same time, and the server rolled this transaction back. Do all of it again."
        )
      }
      if error.isTimeout {
        return (NSPersistentStoreTimeoutError, "Try again, or wait longer with NSPersistentStoreTimeoutOption.")
      }
      // The first two letters are the class of the state.
      return switch (error.refusal ?? error.state).prefix(2) {
      case "08": (NSPersistentStoreOpenError, "Check that the server runs and that its address is right.")
      case "28":
        (
          CocoaError.fileReadNoPermission.rawValue,
          "Give the role a password by PGPASSWORD, ~/.pgpass, a service file or PostgreSQLPasswordOption."
        )
      case "3D", "3F": (NSPersistentStoreOpenError, "Make the database or the schema first, or correct the URL.")
      case "42" where error.state == "42501":
        (CocoaError.fileWriteNoPermission.rawValue, "Grant the role what it lacks.")
      case "42":
        (
          NSPersistentStoreIncompatibleSchemaError,
          "The tables are not those of the model; another program has changed them, or migrated the store."
        )
      case "53" where error.refusal != nil:
        (NSPersistentStoreOpenError, "Try again, or have the server take more connections.")
      case "53": (CocoaError.fileWriteOutOfSpace.rawValue, "The server lacks room or connections.")
      case "54" where error.state == "54000":
        (NSManagedObjectValidationError, "A value may be too long for an index, which keeps about 2,700 bytes of it.")
      case "57": (NSPersistentStoreTimeoutError, "The server ended the work; try again.")
      case "25": (CocoaError.fileWriteNoPermission.rawValue, "The server refuses all writes.")
      default: (NSPersistentStoreSaveError, "")
      }
    }
  }
#endif
