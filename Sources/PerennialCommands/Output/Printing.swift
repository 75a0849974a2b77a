import Foundation
import Texts

/// Prints lines for people, in place of Swift's function of the name: no command of this module can
/// pass control characters of data on to a terminal by oversight.
func print(_ lines: Any, terminator: String = "\n") {
  printExactly(VisibleText(lines: "\(lines)").description + terminator)
}

/// Prints a text as it is: one for a machine, whose format says what is written how.
func printExactly(_ text: String) {
  Swift.print(text, terminator: "")
}

/// Prints a line for people on standard error.
func warn(_ line: String) {
  try? FileHandle.standardError.write(
    contentsOf: Data((HiddenPasswords.hide(in: line).onOneLine + "\n").utf8)
  )
}
