import CoreData
import Foundation
import Hummingbird
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  private static let searchLimit = Duration.seconds(5)
  private static let orphansPerPage = 200

  /// Returns the page of all objects that the deletion of an object would affect. It deletes nothing.
  func deletionPage(_ entity: String, key: Int64) async throws -> Response {
    let link = try await StoreObjects(explored).link(to: entity, key: key, within: Self.pageLimit)
    let id = try explored.objectID(try explored.entity(entity), key: key)
    let preview = try await Deletions(in: explored.coordinator).preview(of: [id], within: Self.searchLimit)
    let refusal = try await stagedRefusal(
      of: EditedObject(entity: link.entity, key: link.key),
      preview: preview
    )
    let fields: TemplateFields = [
      "action": writing == nil ? nil : address.object(link) + "/deletion",
      "refusal": refusal,
      "isPossibleNow": writing != nil && refusal == nil && !preview.isAllowed,
      "title": link.name,
      "objectAddress": address.object(link),
      "entityName": Self.words(link.entity),
      "entityAddress": address.entity(link.entity),
      "isAllowed": preview.isAllowed && preview.limit == nil,
      "isForbidden": !preview.isAllowed,
      "limitWords": preview.limit.map(Self.words(of:)),
      "deletedCount": Self.number(preview.deletedCount),
      "isAlone": preview.deletedCount == 1,
      "counts": preview.counts.map { count -> TemplateFields in
        ["countEntity": Self.words(count.entity), "countNumber": Self.number(count.count)]
      },
      "denied": preview.denied.map { denied -> TemplateFields in
        [
          "deniedName": Self.words(denied.object.name), "deniedAddress": address.object(of: denied.object),
          "deniedRelationship": Self.words(denied.relationship), "deniedCount": Self.number(denied.count),
        ]
      },
      "hasReleased": !preview.released.isEmpty,
      "released": preview.released.map { released -> TemplateFields in
        [
          "releasedCount": Self.number(released.count),
          "releasedRelationship": Self.words(released.inverse ?? released.relationship),
          "isDangling": released.kind == .leftDangling,
          "breaksRequirement": released.breaksRequirement,
        ]
      },
      "hasDeleted": !preview.deleted.isEmpty,
      "deleted": preview.deleted.map { deleted -> TemplateFields in
        [
          "deletedName": Self.words(deleted.object.name),
          "deletedAddress": address.object(of: deleted.object),
          "deletedEntity": Self.words(deleted.object.entity),
          "deletedBy": deleted.relationship.map(Self.words),
        ]
      },
      "untold": preview.deletedCount > preview.deleted.count
        ? Self.number(preview.deletedCount - preview.deleted.count) : nil,
    ]
    return .page(
      frame.page(
        "deletion",
        title: "Deletion of \(link.name)",
        tab: .entities,
        entity: link.entity,
        content: fields
      )
    )
  }

  /// Returns the reason why the deletion cannot be staged, considering staged changes too. The result is `nil` if
  /// the deletion can be staged, and if the pages only read.
  private func stagedRefusal(of object: EditedObject, preview: DeletionPreview) async throws -> String? {
    guard let writing else { return nil }
    if let limit = preview.limit { return Self.words(of: limit) }
    do {
      let refusals = try await writing.session.refusals(ofDeleting: object)
      return refusals.isEmpty ? nil : Self.words(refusals.prefix(3).map(\.words).joined(separator: " "))
    } catch let failure as EditingFailure where failure.code != .tookTooLong {
      return Self.words("\(failure.problem); \(failure.remedy)")
    }
  }

  private static func words(_ text: String) -> String { VisibleText(line: text, atMost: 300).description }

  private static func words(of limit: DeletionPreview.Limit) -> String {
    switch limit {
    case .objects: "There are more objects than were looked at."
    case .time: "There was no more time to look at all objects."
    }
  }

  /// Returns the page of an entity's unreferenced objects.
  func orphansPage(_ entity: String) async throws -> Response {
    let orphans = try Orphans(entity: entity, in: explored.coordinator)
    let found = try await orphans.objects(limit: Self.orphansPerPage, within: Self.pageLimit)
    var query = GridQuery(entity: entity)
    query.predicate = orphans.predicate
    let fields: TemplateFields = [
      "entityName": Self.words(entity),
      "entityAddress": address.entity(entity),
      "isReferable": !orphans.relationships.isEmpty,
      "relationships": orphans.relationships.map { ["relationshipWords": Self.words($0)] as TemplateFields },
      "gridAddress": orphans.isWholePredicate && !orphans.predicate.isEmpty ? address.grid(query) : nil,
      "isEmpty": found.objects.isEmpty,
      "objects": zip(found.objects, Distinction.keys(among: found.objects)).map {
        object,
        key -> TemplateFields in
        [
          "objectTitle": Self.words(object.name), "objectAddress": address.object(of: object),
          "objectNote": key,
        ]
      },
      "hasMore": found.hasMore,
      "most": Self.number(Self.orphansPerPage),
    ]
    return .page(
      frame.page(
        "orphans",
        title: "Unreferenced objects of \(Self.words(entity))",
        tab: .entities,
        entity: entity,
        content: fields
      )
    )
  }
}
