import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let mostDuplicates = 200

  /// Returns the page of the values that several objects of an entity share. The values may be those of several
  /// properties, as in a uniqueness constraint.
  func duplicatesPage(_ entity: String, items: QueryItems) async throws -> Response {
    let description = try explored.entity(entity)
    let chosen = items.values("by")
    var answer: Duplicates.Answer?
    if !chosen.isEmpty {
      answer = try await Duplicates(of: entity, by: chosen, in: explored.coordinator)
        .groups(limit: Self.mostDuplicates, within: readLimit)
    }
    let place = address.entity(entity) + "/duplicates"
    let constraints = Duplicates.constraints(of: description)
    let fields = DuplicatesPageFields(
      entityName: Self.shownName(entity),
      entityAddress: address.entity(entity),
      duplicatesAddress: place,
      chosenWords: Self.shownName(chosen.joined(separator: ", ")),
      most: Self.number(Self.mostDuplicates),
      isAsked: answer != nil,
      isEmpty: answer?.groups.isEmpty ?? false,
      hasMore: answer?.hasMore ?? false,
      constraints: constraints.map { names in
        ConstraintFields(
          constraintWords: Self.shownName(names.joined(separator: ", ")),
          constraintAddress: place + PageAddress.query(names.map { ("by", $0) }),
          constraintIsCurrent: names == chosen
        )
      },
      groups: (answer?.groups ?? []).map { group(entity, group: $0) },
      properties: Duplicates.properties(of: description).map { name in
        DuplicatePropertyFields(
          propertyName: Self.shownName(name),
          propertyValue: name,
          propertyIsChosen: chosen.contains(name)
        )
      },
      columns: chosen.map(Self.shownName)
    )
    let title = "Duplicates of \(Self.shownName(entity))"
    return .page(frame.page(fields, title: title, tab: .entities, entity: entity))
  }

  private static func shownName(_ text: String) -> String { VisibleText(line: text, atMost: 300).description }

  private func group(_ entity: String, group: Duplicates.Group) -> DuplicateGroupFields {
    DuplicateGroupFields(
      groupCount: Self.number(group.count),
      groupAddress: group.predicate.map { address.grid(GridQuery(entity: entity).narrowed(by: $0)) },
      groupValues: group.labels.map { $0.isEmpty ? "“”" : Self.shownName($0) }
    )
  }
}
