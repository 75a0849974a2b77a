import Foundation

/// The programs that are run, which lie beside each other.
enum Programs {
  static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  static let perennial = own.deletingLastPathComponent().appendingPathComponent("perennial")
}
