/// A workload throws it if it cannot run on this machine.
struct NotMeasured: Error, CustomStringConvertible {
  /// The missing program or package, and how to get it.
  let description: String
}
