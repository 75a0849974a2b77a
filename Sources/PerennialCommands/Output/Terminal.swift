import Foundation

/// The terminal that a command prints on.
enum Terminal {
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
