/// Writes elements as XML, laid out as Xcode does: four spaces a level, attributes on one line.
enum ContentsPrinter {
  static func print(_ root: ContentsElement) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    write(root, indentation: "", to: &text)
    return text
  }

  private static func write(_ element: ContentsElement, indentation: String, to text: inout String) {
    text += "\(indentation)<\(element.name)"
    for attribute in element.attributes { text += " \(attribute.name)=\"\(escaped(attribute.value))\"" }
    if element.children.isEmpty, element.text.isEmpty {
      text += "/>\n"
      return
    }
    text += ">" + escaped(element.text)
    if !element.children.isEmpty {
      text += "\n"
      for child in element.children { write(child, indentation: indentation + "    ", to: &text) }
      text += indentation
    }
    text += "</\(element.name)>\n"
  }

  /// Escapes characters that an attribute cannot contain. Line ends and tabs are escaped, too,
  /// because a parser would replace them with spaces.
  private static func escaped(_ value: String) -> String {
    var result = ""
    result.reserveCapacity(value.utf8.count)
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\r": result += "&#13;"
      case "\t": result += "&#9;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
