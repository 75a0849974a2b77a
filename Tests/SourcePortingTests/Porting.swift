import SourcePorting

/// A file that was ported.
struct Ported {
  let text: String
  let isChanged: Bool
  let rewrites: [PortingFinding]
  let leftovers: [PortingFinding]

  /// - Parameter heading: the text that was put in front of the source only for the port.
  fileprivate init(_ file: PortedFile, without heading: String) {
    text = String(file.text.dropFirst(heading.count))
    isChanged = file.isChanged
    let lines = heading.isEmpty ? 0 : 1
    rewrites = Self.moved(file.rewrites, lines)
    leftovers = Self.moved(file.leftovers, lines)
  }

  private static func moved(_ findings: [PortingFinding], _ lines: Int) -> [PortingFinding] {
    findings.map { finding in
      var finding = finding
      finding.line -= lines
      return finding
    }
  }
}

/// Ports one file. A source without imports that uses Core Data's names gets an import of CoreData.
func port(_ text: String, with others: String...) -> Ported {
  let names = [
    "NSManagedObject", "NSFetch", "NSPersistent", "NSEntity", "NSAtomic", "NSIncremental", "NSMigration",
  ]
  let isBare = !text.contains("import ") && names.contains { text.contains($0) }
  let heading = isBare ? "import CoreData\n" : ""
  let all =
    [("A.swift", heading + text)] + others.enumerated().map { ("Other\($0.offset).swift", $0.element) }
  return Ported(SourcePorter(sources: all).port()[0], without: heading)
}

/// The findings that need manual work in one file: line, column and reason.
func leftovers(_ text: String) -> [String] {
  port(text).leftovers.map { "\($0.line):\($0.column): \($0.reason)" }
}
