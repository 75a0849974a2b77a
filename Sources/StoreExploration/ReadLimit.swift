/// The bounds of every read that a task makes: its time, and the pool that it takes a place of.
package struct ReadLimit: Sendable {
  /// The bounds of the current task's reads; `nil` where each read has its own time alone.
  @TaskLocal package static var current: ReadLimit?

  /// The time that each read may take, including the time that it waits for a place.
  package let duration: Duration
  /// The pool of long reads; `nil` for a read that waits for no place.
  package let pool: ReadPool?
  /// The client with whose departure each read ends; `nil` where reads end without regard to it.
  package let client: ReadClient?
  /// What a person can do about a read that took too long.
  package let remedy: String

  package init(_ duration: Duration, pool: ReadPool? = nil, client: ReadClient? = nil, remedy: String) {
    self.duration = duration
    self.pool = pool
    self.client = client
    self.remedy = remedy
  }
}
