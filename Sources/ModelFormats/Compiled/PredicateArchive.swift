package import Foundation
package import Predicates

/// Predicates and expressions as keyed archives (`NSKeyedArchiver`), in the form in which compiled models hold them.
///
/// An operator or expression that is not known from any archive of Apple's making (`MATCHES`, subqueries and the like)
/// is archived as its text in the format language, which is read here and refused by Apple's framework.
package enum PredicateArchive {
  /// - Throws: `ModelFileError` for a predicate without a text: a block.
  package static func data(of predicate: NSPredicate) throws(ModelFileError) -> Data {
    try data(
      text: predicate.printedFormat,
      archived: { FormatArchiver.predicate(predicate, in: &$0) },
      reads: { (data) throws(ModelFileError) in try self.predicate(from: data) == predicate }
    )
  }

  /// - Throws: `ModelFileError` for an expression without a text: a block.
  package static func data(of expression: Predicates.NSExpression) throws(ModelFileError) -> Data {
    try data(
      text: "\(expression)",
      archived: { FormatArchiver.expression(expression, in: &$0) },
      reads: { (data) throws(ModelFileError) in try self.expression(from: data) == expression }
    )
  }

  /// - Throws: `ModelFileError` if the data is not an archive of a predicate.
  package static func predicate(from data: Data) throws(ModelFileError) -> NSPredicate {
    let archive = try KeyedArchive(data, file: nil)
    var text = try archive.rootText()
    if text == nil { text = try ArchivedExpression(archive: archive).text(ofPredicate: archive.rootInstance()) }
    do throws(PredicateFormatError) {
      return try NSPredicate(parsing: text ?? "")
    } catch {
      throw archive.error("predicate", problem: error.description)
    }
  }

  /// - Throws: `ModelFileError` if the data is not an archive of an expression.
  package static func expression(from data: Data) throws(ModelFileError) -> Predicates.NSExpression {
    let archive = try KeyedArchive(data, file: nil)
    var text = try archive.rootText()
    if text == nil { text = try ArchivedExpression(archive: archive).text(of: archive.rootInstance()) }
    do throws(PredicateFormatError) {
      return try Predicates.NSExpression(parsing: text ?? "")
    } catch {
      throw archive.error("expression", problem: error.description)
    }
  }

  /// The archive of objects if reading it gives the original text, otherwise the archive of the text.
  private static func data(
    text: String,
    archived: (inout KeyedArchiveWriter) -> Int?,
    reads: (Data) throws(ModelFileError) -> Bool
  ) throws(ModelFileError) -> Data {
    var writer = KeyedArchiveWriter()
    if let root = archived(&writer) {
      let data = writer.data(root: root)
      if (try? reads(data)) == true { return data }
    }
    var textWriter = KeyedArchiveWriter()
    let root = textWriter.string(text)
    let data = textWriter.data(root: root)
    guard try reads(data) else {
      throw ModelFileError(.corrupt, file: nil, problem: "what reads differently cannot be archived: \(text)")
    }
    return data
  }
}
