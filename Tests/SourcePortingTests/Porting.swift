import SourcePorting

/// Ports one file.
func port(_ text: String, beside others: String...) -> PortedFile {
  let all = [("A.swift", text)] + others.enumerated().map { ("Other\($0.offset).swift", $0.element) }
  return SourcePorter(sources: all).port()[0]
}

/// What is to be done by hand in one file: line, column and reason.
func leftovers(_ text: String) -> [String] {
  port(text).leftovers.map { "\($0.line):\($0.column): \($0.reason)" }
}
