/// The limits of a task's reads: their time, their pool and their client.
package struct ReadLimit: Sendable {
  /// The limits of the current task's reads; `nil` if each read only has its own time limit.
  @TaskLocal package static var current: ReadLimit?

  /// The time that each read may take, including the wait for a slot.
  package let duration: Duration
  /// The pool of long reads; `nil` if the reads do not need a slot.
  package let pool: ReadPool?
  /// The client whose disconnection cancels the reads; `nil` if no client can cancel them.
  package let client: ReadClient?
  /// The remedy for a read that took too long.
  package let remedy: String

  package init(_ duration: Duration, pool: ReadPool? = nil, client: ReadClient? = nil, remedy: String) {
    self.duration = duration
    self.pool = pool
    self.client = client
    self.remedy = remedy
  }
}
