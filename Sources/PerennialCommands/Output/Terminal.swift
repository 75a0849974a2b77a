import Foundation

/// The terminal that a command prints on.
enum Terminal {
  /// True where a line that was written can be written anew: on a terminal, but for one that says of itself that it
  /// takes no commands, as those of editors do.
  static func canRedraw(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The columns that a line has; nil where the descriptor is of none, such as a file or a pipe, and where
  /// the terminal does not tell.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
