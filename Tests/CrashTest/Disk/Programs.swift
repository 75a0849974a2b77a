import Foundation

/// The programs that the checks run. They are in one folder.
enum Programs {
  static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  static let perennial = own.deletingLastPathComponent().appendingPathComponent("perennial")
}
