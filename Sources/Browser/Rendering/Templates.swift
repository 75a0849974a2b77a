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

  /// The text of each template by its name.
  static let sources = Dictionary(
    uniqueKeysWithValues: ResourceFile.all.filter { $0.kind == "mustache" }.map {
      (String($0.name.dropLast(".mustache".count)), $0.contents)
    }
  )

  /// The bytes before and after a template's name where another template includes it.
  private static let inclusion = Array("{{> ".utf8)
  private static let end = UInt8(ascii: "}")

  /// Returns the markup of a page in its frame.
  static func page<Content: PageFields>(_ content: Content, frame: FrameFields) -> String {
    let members = PageMembers(content: TemplateMembers(content), frame: TemplateMembers(frame))
    return render(Content.template, members: members)
  }

  /// Returns the markup of the part of a page that a script loads alone.
  static func part<Content: PageFields>(_ content: Content) -> String {
    render(Content.part, members: TemplateMembers(content))
  }

  /// Returns the markup of a context that has a template of its own.
  static func render<Content: TemplateContext>(_ content: Content) -> String {
    render(Content.template, members: TemplateMembers(content))
  }

  /// Returns the markup of a template with the members of its context.
  static func render(_ name: String, members: some MustacheParent) -> String {
    parsed.withLock { $0.library(of: name) }.render(members, withTemplate: name) ?? ""
  }
}
