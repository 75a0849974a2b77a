#if PostgreSQL
  /// Changes many objects at once, without handing them out.
  extension PostgreSQLStore {
    func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
      try deleteAll(deletion, through: engine().connections)
    }

    func deleteAll(_ deletion: BatchDeletion, through target: some PostgreSQLWriteTarget) throws
      -> BatchOutcome
    {
      try reading("The batch deletion failed") {
        try target.repeating {
          try PostgreSQLWriteSession.run(in: self, through: target, origin: deletion.query.origin) {
            try PostgreSQLBatchDeletion(deletion: deletion, session: $0).run()
          }
        }
      }
    }

    func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
      try insertAll(insertion, through: engine().connections)
    }

    func insertAll(_ insertion: BatchInsertion, through target: some PostgreSQLWriteTarget) throws
      -> BatchOutcome
    {
      try reading("The batch insertion failed") {
        let rows = PostgreSQLRepeatedRows(insertion)
        return try target.repeating(canRepeat: { rows.canRepeat }) {
          try PostgreSQLWriteSession.run(in: self, through: target, origin: insertion.origin) {
            try PostgreSQLBatchInsertion(insertion: rows.fromBeginning(), session: $0).run()
          }
        }
      }
    }

    func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
      try updateAll(update, through: engine().connections)
    }

    func updateAll(_ update: BatchUpdate, through target: some PostgreSQLWriteTarget) throws -> BatchOutcome {
      try reading("The batch update failed") {
        try target.repeating {
          try PostgreSQLWriteSession.run(in: self, through: target, origin: update.query.origin) {
            try PostgreSQLBatchUpdate(update: update, session: $0).run()
          }
        }
      }
    }
  }
#endif
