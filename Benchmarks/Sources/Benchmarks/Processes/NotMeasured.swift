/// Thrown by a workload that cannot run on this machine.
struct NotMeasured: Error, CustomStringConvertible {
  /// What is missing, and where it comes from.
  let description: String
}
