/// The accessors that are generated into one extension.
struct GeneratedExtension {
  /// The name of the extended type.
  var target: String
  /// The conditions of `#if` around the class.
  var conditions: [String]
  var availability: [String]
  /// The file that declares the properties. The compiler's messages about the accessors refer to it.
  var file: String
  var members: [Member]

  struct Member {
    var conditions: [String] = []
    var availability: [String] = []
    var line: Int
    var declarations: [String]
  }

  /// - Parameter namesLines: whether each accessor states the line of its property.
  func text(namingLines namesLines: Bool) -> String {
    var lines: [String] = []
    if !conditions.isEmpty { lines.append("#if \(Self.conjunction(conditions))") }
    lines += availability
    lines.append("extension \(target) {")
    for member in members { lines += text(of: member, namesLines: namesLines) }
    lines.append("}")
    if !conditions.isEmpty { lines.append("#endif") }
    return lines.joined(separator: "\n")
  }

  private func text(of member: Member, namesLines: Bool) -> [String] {
    var lines: [String] = []
    if !member.conditions.isEmpty { lines.append("#if \(Self.conjunction(member.conditions))") }
    for declaration in member.declarations {
      if namesLines { lines.append("#sourceLocation(file: \(Self.literal(file)), line: \(member.line))") }
      let attributes = member.availability.map { $0 + " " }.joined()
      lines.append("  \(attributes)\(declaration)")
    }
    if namesLines { lines.append("#sourceLocation()") }
    if !member.conditions.isEmpty { lines.append("#endif") }
    return lines
  }

  static func conjunction(_ conditions: [String]) -> String {
    conditions.count == 1 ? conditions[0] : conditions.map { "(\($0))" }.joined(separator: " && ")
  }

  /// A text as a Swift string literal.
  static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
