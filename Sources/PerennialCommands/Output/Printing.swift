import Foundation
import Texts

/// Prints lines for people. The function hides Swift's own `print`, so that no command of this module can
/// accidentally pass control characters in data on to a terminal.
func print(_ lines: Any, terminator: String = "\n") {
  printExactly(VisibleText(lines: "\(lines)").description + terminator)
}

/// Prints a text unchanged. It is for programs, and its format defines how characters are escaped.
func printExactly(_ text: String) { Swift.print(text, terminator: "") }

/// Prints a line for people on standard error.
func warn(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data((HiddenPasswords.hide(in: line).onOneLine + "\n").utf8))
}
