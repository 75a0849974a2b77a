import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let duplicateLimit = Duration.seconds(10)
  private static let mostDuplicates = 200

  /// Returns the page of the values that several objects of an entity share. The values may be those of several
  /// properties, as in a uniqueness constraint.
  func duplicatesPage(_ entity: String, items: QueryItems) async throws -> Response {
    let description = try explored.entity(entity)
    let chosen = items.values("by")
    var answer: Duplicates.Answer?
    if !chosen.isEmpty {
      answer = try await Duplicates(of: entity, by: chosen, in: explored.coordinator)
        .groups(limit: Self.mostDuplicates, within: Self.duplicateLimit)
    }
    let place = address.entity(entity) + "/duplicates"
    let constraints = Duplicates.constraints(of: description)
    let fields: TemplateFields = [
      "entityName": Self.shownName(entity),
      "entityAddress": address.entity(entity),
      "duplicatesAddress": place,
      "hasConstraints": !constraints.isEmpty,
      "constraints": constraints.map { names -> TemplateFields in
        [
          "constraintWords": Self.shownName(names.joined(separator: ", ")),
          "constraintAddress": place + PageAddress.query(names.map { ("by", $0) }),
          "constraintIsCurrent": names == chosen,
        ]
      },
      "properties": Duplicates.properties(of: description).map { name -> TemplateFields in
        [
          "propertyName": Self.shownName(name), "propertyValue": name,
          "propertyIsChosen": chosen.contains(name),
        ]
      },
      "isAsked": answer != nil,
      "chosenWords": Self.shownName(chosen.joined(separator: ", ")),
      "columns": chosen.map { ["columnName": Self.shownName($0)] as TemplateFields },
      "isEmpty": answer?.groups.isEmpty ?? false,
      "hasGroups": !(answer?.groups.isEmpty ?? true),
      "groups": (answer?.groups ?? []).map { group(entity, group: $0) },
      "hasMore": answer?.hasMore ?? false,
      "most": Self.number(Self.mostDuplicates),
    ]
    let title = "Duplicates of \(Self.shownName(entity))"
    return .page(frame.page("duplicates", title: title, tab: .entities, entity: entity, content: fields))
  }

  private static func shownName(_ text: String) -> String { VisibleText(line: text, atMost: 300).description }

  private func group(_ entity: String, group: Duplicates.Group) -> TemplateFields {
    [
      "groupValues": group.labels.map { label -> TemplateFields in
        ["groupValue": label.isEmpty ? "“”" : Self.shownName(label)]
      },
      "groupCount": Self.number(group.count),
      "groupAddress": group.predicate.map { address.grid(GridQuery(entity: entity).narrowed(by: $0)) },
    ]
  }
}
