import Foundation

/// The terminal that a command writes to.
enum Terminal {
  /// True where a written line can be overwritten: on a terminal, unless it declares that it does not interpret
  /// control sequences (`TERM=dumb`), as terminals of editors do.
  static func canRedraw(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The number of columns of the terminal. Nil where the descriptor is not a terminal but a file or a pipe, and
  /// where the terminal does not report it.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
