import CBrowserResources
import Foundation
import Mustache
import Synchronization

/// The templates of pages.
enum Templates {
  /// The templates that were parsed so far. The first page of a kind parses only the templates that it needs.
  private static let parsed = Mutex(Parsed())

  private struct Parsed {
    var templates: [String: MustacheTemplate] = [:]
    /// The templates that each page includes, by the name of the page's template.
    var libraries: [String: MustacheLibrary] = [:]

    mutating func library(of name: String) -> MustacheLibrary {
      if let library = libraries[name] { return library }
      var parts: [String: MustacheTemplate] = [:]
      collect(name, into: &parts)
      let library = MustacheLibrary(templates: parts)
      libraries[name] = library
      return library
    }

    /// Collects a template and the templates that it includes.
    private mutating func collect(_ name: String, into parts: inout [String: MustacheTemplate]) {
      guard parts[name] == nil, let bytes = Templates.sources[name] else { return }
      parts[name] = template(name, bytes: bytes)
      for part in bytes.split(separator: Templates.inclusion, omittingEmptySubsequences: false).dropFirst() {
        collect(String(decoding: part.prefix { $0 != Templates.end }, as: UTF8.self), into: &parts)
      }
    }

    private mutating func template(_ name: String, bytes: [UInt8]) -> MustacheTemplate {
      if let template = templates[name] { return template }
      do {
        let template = try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self))
        templates[name] = template
        return template
      } catch {
        // The templates are part of this module, so a template that cannot be parsed is a programming error.
        preconditionFailure("the template \(name) cannot be read: \(error)")
      }
    }
  }

  static let sources: [String: [UInt8]] = files.mapValues(\.contents)

  private static var files: [String: EmbeddedFile] {
    [
      "top": .top_mustache(),
      "bottom": .bottom_mustache(),
      "catalogue": .catalogue_mustache(),
      "compared": .compared_mustache(),
      "comparedobject": .comparedobject_mustache(),
      "comparison": .comparison_mustache(),
      "comparisonprogress": .comparisonprogress_mustache(),
      "conflicts": .conflicts_mustache(),
      "deletion": .deletion_mustache(),
      "diagram": .diagram_mustache(),
      "difference": .difference_mustache(),
      "edit": .edit_mustache(),
      "edits": .edits_mustache(),
      "facet": .facet_mustache(),
      "facetpage": .facetpage_mustache(),
      "grid": .grid_mustache(),
      "history": .history_mustache(),
      "orphans": .orphans_mustache(),
      "object": .object_mustache(),
      "modeldifference": .modeldifference_mustache(),
      "moments": .moments_mustache(),
      "relate": .relate_mustache(),
      "seed": .seed_mustache(),
      "staged": .staged_mustache(),
      "strip": .strip_mustache(),
      "model": .model_mustache(),
      "error": .error_mustache(),
      "seedexport": .seedexport_mustache(),
      "value": .value_mustache(),
      "column": .column_mustache(),
      "columnpage": .columnpage_mustache(),
      "columns": .columns_mustache(),
      "duplicates": .duplicates_mustache(),
      "link": .link_mustache(),
      "missing": .missing_mustache(),
      "transaction": .transaction_mustache(),
      "saving": .saving_mustache(),
      "savingprogress": .savingprogress_mustache(),
    ]
  }

  /// The bytes before and after a template's name where another template includes it.
  private static let inclusion = Array("{{> ".utf8)
  private static let end = UInt8(ascii: "}")

  /// Returns the markup of a page.
  static func render(_ name: String, fields: TemplateFields) -> String {
    parsed.withLock { $0.library(of: name) }.render(fields, withTemplate: name) ?? ""
  }
}
