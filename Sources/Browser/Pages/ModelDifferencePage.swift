import CoreData
import Foundation
import Hummingbird
import ModelFormats
import StoreExploration
import Texts

extension BrowserPages {
  /// The greatest number of changes on a page.
  private static let mostModelChanges = 5_000

  /// Returns the page with the changes from the store's model to another model.
  func modelDifferencePage() throws -> Response {
    guard let other = otherModel else {
      throw HTTPError(.notFound, message: "The model is compared with no other one.")
    }
    let documents = (ModelDocument(explored.model), ModelDocument(other.model))
    let review = ModelReview(from: documents.0, to: documents.1)
    var rest = Self.mostModelChanges
    var groups: [ModelGroupFields] = []
    for group in review.groups where rest > 0 {
      groups.append(fields(of: group, changes: group.changes.prefix(rest)))
      rest -= group.changes.count
    }
    let all = review.groups.flatMap(\.changes)
    let hashes = hashes(explored.model, other: other.model)
    let fields = ModelDifferencePageFields(
      otherName: Self.modelText(other.name),
      modelAddress: address.model,
      verdict: review.verdict,
      leftOut: all.count > Self.mostModelChanges ? Self.number(all.count - Self.mostModelChanges) : nil,
      hashes: hashes,
      groups: groups,
      counts: ModelReview.Mark.allCases.compactMap { mark -> String? in
        let count = all.count { $0.mark == mark }
        return count == 0 ? nil : "\(Self.number(count)) \(mark.words)"
      }
    )
    return .page(frame.page(fields, title: "Difference of the models", tab: .model))
  }

  private func fields(of group: ModelReview.Group, changes: ArraySlice<ModelReview.Change>)
    -> ModelGroupFields
  {
    ModelGroupFields(
      groupName: group.entity.map(Self.modelText) ?? "The model as a whole",
      groupAddress: group.entity.flatMap {
        explored.model.entitiesByName[$0] == nil ? nil : address.model($0)
      },
      changed: changes.map { change in
        ModelChangeFields(
          mark: change.mark.rawValue,
          subject: Self.modelText(change.subject),
          words: words(of: change, in: group.entity).map(Self.modelText),
          reason: change.note.isEmpty ? nil : Self.modelText(change.note),
          field: change.values.map { Self.modelText($0.field) },
          before: change.values.map { Self.modelText($0.before ?? "nothing") },
          after: change.values.map { Self.modelText($0.after ?? "nothing") }
        )
      }
    )
  }

  /// Returns the text after a change's mark. For an added property it is the property's description.
  private func words(of change: ModelReview.Change, in entity: String?) -> String? {
    if !change.words.isEmpty { return change.words }
    guard change.mark != .removed, change.values == nil,
      let described = otherModel?.model.entitiesByName[entity ?? ""],
      let space = change.subject.firstIndex(of: " ")
    else { return nil }
    let name = String(change.subject[change.subject.index(after: space)...])
    switch (change.subject[..<space], described.propertiesByName[name]) {
    case ("attribute", let attribute as NSAttributeDescription): return Self.words(of: attribute)
    case ("relationship", let relationship as NSRelationshipDescription): return Self.words(of: relationship)
    default: return nil
    }
  }

  /// Describes an attribute by its type, its optionality and its default.
  private static func words(of attribute: NSAttributeDescription) -> String {
    var words = [attribute.shownType, attribute.isOptional ? "optional" : "required"]
    words.append(attribute.defaultValue.map { "default \(defaultWords($0))" } ?? "no default")
    if attribute.isTransient { words.append("transient") }
    return words.joined(separator: ", ")
  }

  private static func defaultWords(_ value: Any) -> String {
    switch value {
    case let text as String: "\"\(text)\""
    case let date as Date: ShownDate.text(date)
    case let data as Data: bytes(data.count)
    default: "\(value)"
    }
  }

  private static func words(of relationship: NSRelationshipDescription) -> String {
    let kind = relationship.isToMany ? "to many" : "to one"
    let destination = relationship.destinationEntity?.name ?? "nothing"
    var words = ["\(kind) \(destination)", relationship.isOptional ? "optional" : "required"]
    if let inverse = relationship.inverseRelationship { words.append("inverse \(inverse.name)") }
    return words.joined(separator: ", ")
  }

  /// Returns the version hashes of the entities that differ between the models.
  private func hashes(_ own: NSManagedObjectModel, other: NSManagedObjectModel) -> [HashFields] {
    let hashes = (own.entityVersionHashesByName, other.entityVersionHashesByName)
    let names = Set(hashes.0.keys).union(hashes.1.keys).filter { hashes.0[$0] != hashes.1[$0] }.sorted()
    return names.map { name in
      HashFields(
        hashEntity: Self.modelText(name),
        ownHash: hashes.0[name].map { HexadecimalDigits.of($0) },
        otherHash: hashes.1[name].map { HexadecimalDigits.of($0) }
      )
    }
  }

  private static func modelText(_ text: String) -> String { VisibleText(line: text, atMost: 2_000).description }
}
