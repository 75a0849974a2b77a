import Foundation

/// The description of an object, without the parts that differ between runs: addresses, store identifiers, and
/// the keys of unsaved objects.
func masked(_ object: Any) -> String {
  let patterns = [
    ("0x[0-9a-f]{4,}", "0x…"), ("(?<=x-coredata://)[0-9A-F-]{36}", "STORE"), ("(?<=/t)[0-9]+", "…"),
    ("[0-9A-F]{8}-[0-9A-F-]{27}", "STORE"), ("file:///[^ ,;)>\"]*/", "file:///…/"),
  ]
  return patterns.reduce("\(object)") { text, pattern in
    text.replacingOccurrences(of: pattern.0, with: pattern.1, options: .regularExpression)
  }
}
