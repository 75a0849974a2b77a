#if PostgreSQL
  /// What `NOTIFY` has sent to a connection that listens.
  package struct PostgreSQLNotification: Hashable, Sendable {
    /// The name of the channel.
    package let channel: String
    /// The text of the notification; empty if it has no text.
    package let payload: String
    /// The number of the server's process that has sent it.
    package let processID: Int32
  }
#endif
