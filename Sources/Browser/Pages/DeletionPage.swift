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
    let link = try await StoreObjects(explored).link(to: entity, key: key, within: readLimit)
    let id = try explored.objectID(try explored.entity(entity), key: key)
    let preview = try await Deletions(in: explored.coordinator).preview(of: [id], within: Self.searchLimit)
    let refusal = try await stagedRefusal(of: EditedObject(entity: link.entity, key: link.key), preview: preview)
    let fields = DeletionPageFields(
      title: link.name,
      objectAddress: address.object(link),
      entityName: Self.words(link.entity),
      entityAddress: address.entity(link.entity),
      deletedCount: Self.number(preview.deletedCount),
      action: writing == nil ? nil : address.object(link) + "/deletion",
      refusal: refusal,
      limitWords: preview.limit.map(Self.words(of:)),
      untold: preview.deletedCount > preview.deleted.count
        ? Self.number(preview.deletedCount - preview.deleted.count) : nil,
      isPossibleNow: writing != nil && refusal == nil && !preview.isAllowed,
      isAllowed: preview.isAllowed && preview.limit == nil,
      isForbidden: !preview.isAllowed,
      isAlone: preview.deletedCount == 1,
      counts: preview.counts.map { count in
        CountFields(countEntity: Self.words(count.entity), countNumber: Self.number(count.count))
      },
      deleted: preview.deleted.map { deleted in
        DeletedFields(
          deletedName: Self.words(deleted.object.name),
          deletedAddress: address.object(of: deleted.object),
          deletedEntity: Self.words(deleted.object.entity),
          deletedBy: deleted.relationship.map(Self.words)
        )
      },
      denied: preview.denied.map { denied in
        DeniedFields(
          deniedName: Self.words(denied.object.name),
          deniedAddress: address.object(of: denied.object),
          deniedRelationship: Self.words(denied.relationship),
          deniedCount: Self.number(denied.count)
        )
      },
      released: preview.released.map { released in
        ReleasedFields(
          releasedCount: Self.number(released.count),
          releasedRelationship: Self.words(released.inverse),
          isDangling: released.kind == .leftDangling,
          breaksRequirement: released.breaksRequirement
        )
      },
      referring: preview.referring.map(referring)
    )
    return .page(frame.page(fields, title: "Deletion of \(link.name)", tab: .entities, entity: link.entity))
  }

  private func referring(_ referring: DeletionPreview.Referring) -> ReferringFields {
    let untold = referring.count - referring.objects.count
    return ReferringFields(
      referringCount: Self.number(referring.count),
      referringRelationship: Self.words(referring.relationship),
      referringUntold: untold > 0 ? Self.number(untold) : nil,
      isOneReferring: referring.count == 1,
      isLeftDangling: referring.isDangling,
      referringObjects: zip(referring.objects, Distinction.keys(among: referring.objects)).map { object, key in
        OrphanFields(objectTitle: Self.words(object.name), objectAddress: address.object(of: object), objectNote: key)
      }
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
      return frame.sentence("\(failure.problem); \(failure.remedy)", atMost: 300)
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
    let found = try await orphans.objects(limit: Self.orphansPerPage, within: readLimit)
    var query = GridQuery(entity: entity)
    query.predicate = orphans.predicate
    let fields = OrphansPageFields(
      entityName: Self.words(entity),
      entityAddress: address.entity(entity),
      most: Self.number(Self.orphansPerPage),
      gridAddress: orphans.isWholePredicate && !orphans.predicate.isEmpty ? address.grid(query) : nil,
      isReferable: !orphans.relationships.isEmpty,
      hasMore: found.hasMore,
      objects: zip(found.objects, Distinction.keys(among: found.objects)).map { object, key in
        OrphanFields(objectTitle: Self.words(object.name), objectAddress: address.object(of: object), objectNote: key)
      },
      relationships: orphans.relationships.map(Self.words)
    )
    let title = "Unreferenced objects of \(Self.words(entity))"
    return .page(frame.page(fields, title: title, tab: .entities, entity: entity))
  }
}
