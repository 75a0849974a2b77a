#if PostgreSQL
  import CPostgreSQL

  /// Looks for one notice of a connection's server among those that are dropped: that a transaction was committed, but its wait
  /// for a standby server was cancelled.
  ///
  /// The server sends it as a warning before the success of the statement
  /// (<https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION>).
  final class PostgreSQLNotices {
    /// True when the server has sent the warning since this was set to false.
    var isUnreplicated = false

    /// Receives the notices of a connection, which this object outlives. libpq calls it on the thread that reads.
    func receive(from handle: OpaquePointer) {
      _ = PQsetNoticeReceiver(
        handle,
        { notices, result in
          // The message is in the server's language, but the name of the reporting function is not translated.
          guard let notices, let name = PQresultErrorField(result, Int32(UInt8(ascii: "R"))),
            String(cString: name) == "SyncRepWaitForLSN"
          else { return }
          Unmanaged<PostgreSQLNotices>.fromOpaque(notices).takeUnretainedValue().isUnreplicated = true
        },
        Unmanaged.passUnretained(self).toOpaque()
      )
    }
  }
#endif
