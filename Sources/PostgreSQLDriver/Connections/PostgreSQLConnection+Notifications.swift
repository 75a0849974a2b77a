#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Waits for notifications of channels that the connection listens to.
    ///
    /// - Parameter limit: the moment until which it waits.
    /// - Returns: the notifications that have arrived. The call returns at once if there are some already, and with an
    ///   empty array at the deadline or if another thread has called ``wake()`` since the last wait.
    /// - Throws: a ``PostgreSQLError`` when the connection is lost.
    package func notifications(until limit: ContinuousClock.Instant) throws -> [PostgreSQLNotification] {
      let wake = try waker.descriptor()
      while true {
        guard let handle else { throw PostgreSQLError.isClosed }
        if PQconsumeInput(handle) == 0 {
          let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
          close()
          throw PostgreSQLError.lost(message)
        }
        let received = received(handle)
        if !received.isEmpty { return received }
        let socket = PQsocket(handle)
        let ready = PostgreSQLSocket.wait([(socket, .reading), (wake, .reading)], until: limit)
        if ready[wake] != nil { waker.reset() }
        if ready[socket] == nil { return [] }
      }
    }

    /// Ends ``notifications(until:)``, or the next call of it, at once. It may be called from any thread.
    package func wake() { waker.wake() }

    /// The notifications that libpq has read.
    private func received(_ handle: OpaquePointer) -> [PostgreSQLNotification] {
      var received: [PostgreSQLNotification] = []
      while let notification = PQnotifies(handle) {
        defer { PQfreemem(notification) }
        let (channel, payload) = (notification.pointee.relname, notification.pointee.extra)
        received.append(
          PostgreSQLNotification(
            channel: channel.map { String(cString: $0) } ?? "",
            payload: payload.map { String(cString: $0) } ?? "",
            processID: notification.pointee.be_pid
          )
        )
      }
      return received
    }
  }
#endif
