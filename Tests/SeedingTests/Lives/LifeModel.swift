import CoreData
import Foundation
import TestSupport

/// The versions of the model that stores migrate through, as files that the command can read as
/// well: Note (`title`), Tag and Category (`name`), and Step, which does not have a natural key and
/// belongs to one note.
enum LifeModel {
  enum Version: String, CaseIterable {
    case first, second, third

    /// The entity of tags.
    var tag: String { self == .second ? "Label" : "Tag" }

    /// The key of the list of tags.
    var tagList: String { self == .second ? "labels" : "tags" }

    var next: Version { self == .second ? .third : .second }
  }

  private static let folder = try? TestFolder()
  private static let models = Dictionary(
    uniqueKeysWithValues: Version.allCases.map { ($0, NSManagedObjectModel(contentsOf: url($0))) }
  )

  static func model(_ version: Version) -> NSManagedObjectModel {
    models[version].flatMap(\.self) ?? NSManagedObjectModel()
  }

  static func url(_ version: Version) -> URL {
    let url = folder?.url.appendingPathComponent("\(version).xcdatamodel") ?? URL(fileURLWithPath: "/")
    if !FileManager.default.fileExists(atPath: url.path) {
      _ = try? folder?.write("\(version).xcdatamodel/contents", text(version))
    }
    return url
  }

  private static func text(_ version: Version) -> String {
    let tag = version.tag
    let formerTag =
      switch version {
      case .first: ""
      case .second: " elementID=\"Tag\""
      case .third: " elementID=\"Label\""
      }
    func string(_ name: String) -> String {
      "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    func relationship(_ name: String, _ many: Bool, _ destination: String, _ inverse: String) -> String {
      """
      <relationship name="\(name)" optional="YES" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") deletionRule="Nullify" \
      destinationEntity="\(destination)" inverseName="\(inverse)" inverseEntity="\(destination)"/>
      """
    }
    let steps = """
      <relationship name="steps" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
      destinationEntity="Step" inverseName="note" inverseEntity="Step"/>
      """
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note">\(string("title"))\(string("contents"))\
      \(version == .first ? "" : string("subtitle"))\
      \(relationship("tags", true, tag, "notes"))\(relationship("category", false, "Category", "notes"))\
      \(steps)</entity>
      <entity name="Step">\(string("text"))\(relationship("note", false, "Note", "steps"))</entity>
      <entity name="\(tag)"\(formerTag)>\(string("name"))\(version == .third ? string("colour") : "")\
      \(relationship("notes", true, "Note", "tags"))</entity>
      <entity name="Category">\(string("name"))\(relationship("notes", true, "Note", "category"))</entity>
      </model>
      """
  }
}
