import Foundation
import Hummingbird
import StoreEditing
import StoreExploration

extension PageAddress {
  var edits: String { base + "/edits" }
  var conflicts: String { base + "/edits/conflicts" }
  /// The address of the page of a save that is under way.
  func saving(_ number: Int) -> String { edits("saving") + Self.query([(FormFields.saveName, "\(number)")]) }
  var seed: String { base + FormRequests.seedPath }

  func edits(did news: EditsNotice) -> String { edits + Self.query([("did", news.rawValue)]) }

  /// Returns the address of the staged new objects of an entity.
  func edits(newOf entity: String) -> String { edits + Self.query([(EditsPage.newItem, entity)]) }

  func edits(_ action: String) -> String { "\(edits)/\(action)" }
  func seed(_ name: String) -> String { "\(seed)/\(Self.encoded(name))" }
  func creation(_ entity: String) -> String { self.entity(entity) + "/new" }

  func object(_ object: EditedObject) -> String { "\(entity(object.entity))/\(object.text)" }
  func edit(_ object: EditedObject) -> String { self.object(object) + "/edit" }
  func deletion(_ object: EditedObject) -> String { self.object(object) + "/deletion" }

  /// Returns the address of an object's page, or of its form if the object is not saved yet.
  func page(of object: EditedObject) -> String { object.isNew ? edit(object) : self.object(object) }

  func relate(_ object: EditedObject, relationship: String) -> String {
    "\(self.object(object))/relate/\(Self.encoded(relationship))"
  }
}

extension BrowserPages {
  /// Returns the object that an address names. The object may be unsaved.
  func edited(_ request: Request, parameters: Parameters) throws -> EditedObject {
    let entity = try entity(request, parameters: parameters)
    if let object = EditedObject(entity: entity, text: try parameters.require("key")) { return object }
    throw HTTPError(.notFound, message: "The address has no key of an object.")
  }

  /// Redirects from the address of an unsaved object to its form, because such an object has no other page.
  func formOfNew(_ request: Request, parameters: Parameters) throws -> Response? {
    guard writing != nil, try parameters.require("key").hasPrefix("new-") else { return nil }
    return .seeOther(address.edit(try edited(request, parameters: parameters)))
  }

  func relationship(_ parameters: Parameters) throws -> String {
    let name = try parameters.require("relationship")
    return name.removingPercentEncoding ?? name
  }

  /// Returns the object as the value of a form's button.
  static func word(_ object: EditedObject) -> String { "\(object.text) \(object.entity)" }

  /// Parses the text that ``word(_:)`` returns.
  static func object(_ word: some StringProtocol) -> EditedObject? {
    let parts = word.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? EditedObject(entity: String(parts[1]), text: String(parts[0])) : nil
  }
}
