import Foundation
import SourcePorting
import SwiftParser
import SwiftSyntax
import Testing

@Suite("Ported text")
struct IdempotenceTests {
  /// A source to which every rule applies.
  static let everything = """
    //
    //  Note.swift
    //
    import Foundation
    import class CoreData.NSManagedObject
    import CoreData.NSEntityDescription

    @objc(Note) @objcMembers
    public class Note: NSManagedObject {
      @NSManaged public dynamic var title: String?
      @NSManaged public var category: Category?
      @nonobjc public class func noteRequest() -> NSFetchRequest<Note> { NSFetchRequest(entityName: "Note") }
      @objc(addTagsObject:) @NSManaged public func addToTags(_ value: Tag)
      @objc public var upper: String { title?.uppercased() ?? "" }
      static let key = #keyPath(title), path = #keyPath(Note.category.name)
      func all() -> NSFetchRequest<NSFetchRequestResult> {
        autoreleasepool { Note.noteRequest() as! NSFetchRequest<NSFetchRequestResult> }
      }
    }

    @objc(Category) public class Category: NSManagedObject { @NSManaged public var name: String? }
    @objc public class Tag: NSManagedObject {}
    @objc extension Tag { func mark() {} }
    @objc enum Kind: Int { @objc(KindA) case a, b }
    @objc protocol Reader { @objc func read(_ note: Note) }
    final class Shelf { weak var reader: Reader? }
    func transformers() -> Any { Foundation.ValueTransformer.self }

    """

  @Test("a second run changes nothing")
  func idempotent() {
    let once = port(Self.everything)
    #expect(once.isChanged)
    let twice = port(once.text)
    #expect(twice.text == once.text)
    #expect(twice.rewrites.isEmpty)
    #expect(twice.leftovers.isEmpty)
  }

  @Test("porting changes only what it reports")
  func faithful() {
    let ported = port(Self.everything).text
    let kept = Self.everything.split(separator: "\n").filter { line in
      !["@", "#", "import", "as!", "Foundation."].contains { line.contains($0) }
    }
    let lines = Set(ported.split(separator: "\n"))
    for line in kept { #expect(lines.contains(line), "\(line)") }
  }

  @Test("ported text parses")
  func parses() {
    #expect(!Parser.parse(source: port(Self.everything).text).hasError)
  }

  @Test("the positions of leftovers are those in the new text")
  func places() {
    let file = port("@objc class A {\n  let s = #selector(f)\n}\n")
    let line = file.text.split(separator: "\n")[file.leftovers[0].line - 1]
    #expect(line == "  let s = #selector(f)")
    #expect(file.leftovers[0].description.hasPrefix("A.swift:5:11: #selector needs"))
  }
}
