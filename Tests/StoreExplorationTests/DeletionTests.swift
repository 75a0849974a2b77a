import Foundation
import TestModels
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct DeletionTests {
  @Test(arguments: GardenKind.allCases)
  func `A deletion takes along what rules cascade to, step by step`(kind: GardenKind) async throws {
    let store = try GardenStore(kind)
    let note = try store.write { context in
      let note = context.add("Note", ["title": "Beans"])
      let tag = context.add("Tag", ["name": "green"])
      note.setValue(Set([tag]), forKey: "tags")
      let comment = context.add("Comment", ["text": "first", "note": note])
      let reply = context.add("Comment", ["text": "reply", "parent": comment])
      context.add("Comment", ["text": "reply to reply", "parent": reply])
      context.add("Comment", ["text": "elsewhere"])
      try context.save()
      return note.objectID
    }
    let preview = try await Deletions(in: store.coordinator).preview(of: [note])
    #expect(preview.counts == [.init(entity: "Comment", count: 3), .init(entity: "Note", count: 1)])
    #expect(preview.deleted.map(\.depth) == [0, 1, 2, 3])
    #expect(
      preview.deleted.map(\.relationship) == [nil, "Note.comments", "Comment.replies", "Comment.replies"]
    )
    #expect(preview.deleted.map(\.object.name).first == "Beans")
    #expect(preview.released.map(\.relationship) == ["Note.tags"])
    #expect(preview.released.first?.count == 1 && preview.released.first?.kind == .nullified)
    #expect(preview.denied.isEmpty && preview.isAllowed && preview.limit == nil)
    // The preview does not change the store, and reports what the deletion then does.
    let left = try store.write { context in
      context.delete(context.object(with: note))
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Comment"))
    }
    #expect(left == 1)
  }

  @Test(arguments: GardenKind.allCases)
  func `A rule that denies is told with its object, unless what it is about is deleted too`(kind: GardenKind)
    async throws
  {
    let store = try GardenStore(kind)
    let ids = try store.write { context in
      let category = context.add("Category", ["name": "Work"])
      let notes = (0..<3).map { context.add("Note", ["title": "n\($0)", "category": category]) }
      let empty = context.add("Category", ["name": "Empty"])
      try context.save()
      return [category.objectID, empty.objectID] + notes.map(\.objectID)
    }
    let deletions = Deletions(in: store.coordinator)
    let denied = try await deletions.preview(of: Array(ids.prefix(2)))
    #expect(denied.denied.map(\.object.name) == ["Work"])
    #expect(denied.denied.first?.relationship == "Category.notes" && denied.denied.first?.count == 3)
    #expect(!denied.isAllowed)
    let all = try await deletions.preview(of: ids)
    #expect(all.denied.isEmpty && all.isAllowed && all.deletedCount == 5)
  }

  @Test(arguments: GardenKind.allCases)
  func `Cycles end, and a cap on the objects says that there is more`(kind: GardenKind) async throws {
    let store = try GardenStore(kind)
    let first = try store.write { context in
      let comments = (0..<50).map { context.add("Comment", ["text": "\($0)"]) }
      for (comment, next) in zip(comments, comments.dropFirst() + comments.prefix(1)) {
        next.setValue(comment, forKey: "parent")
      }
      try context.save()
      return comments[0].objectID
    }
    let deletions = Deletions(in: store.coordinator)
    let whole = try await deletions.preview(of: [first, first])
    #expect(whole.deletedCount == 50 && whole.limit == nil)
    let capped = try await deletions.preview(of: [first], mostObjects: 10, mostTold: 3)
    #expect(capped.deletedCount == 9 && capped.limit == .objects && capped.deleted.count == 3)
    let late = try await deletions.preview(of: [first], within: .zero)
    #expect(late.limit == .time && late.deletedCount == 1)
  }

  @Test func `A thousand objects are followed with a few statements for each relationship`() async throws {
    let store = try GardenStore()
    let ids = try store.write { context in
      let notes = (0..<1_000).map { context.add("Note", ["title": "\($0)"]) }
      for note in notes { for _ in 0..<2 { context.add("Comment", ["note": note]) } }
      try context.save()
      return notes.map(\.objectID)
    }
    let deletions = Deletions(in: store.coordinator)
    var preview: DeletionPreview?
    let statements = await store.statements { preview = try? await deletions.preview(of: ids) }
    #expect(preview?.deletedCount == 3_000)
    let selects = statements.filter { $0.hasPrefix("SELECT") }
    #expect(selects.count < 60, "\(selects.count)")
  }

  @Test func `An object that is gone is missing, and one whose inverse has to be there breaks a requirement`()
    async throws
  {
    let owner = makeEntity("Owner", makeAttribute("name"))
    let thing = makeEntity("Thing", makeAttribute("name"))
    relate(owner, "things", isToMany: true, thing, "owner", isToMany: false)
    Garden.relationship(thing, "owner").isOptional = false
    let store = try GardenStore(model: makeModel([owner, thing]))
    let ids = try store.write { context in
      let owner = context.add("Owner", ["name": "o"])
      context.add("Thing", ["owner": owner])
      let gone = context.add("Thing", ["owner": owner])
      try context.save()
      let ids = [owner.objectID, gone.objectID]
      context.delete(gone)
      return ids
    }
    let preview = try await Deletions(in: store.coordinator).preview(of: ids)
    #expect(preview.missing == [ids[1]])
    #expect(preview.released.first?.breaksRequirement == true)
    #expect(preview.released.first?.inverse == "Thing.owner")
    #expect(!preview.isAllowed)
  }
}

@Suite struct OrphanTests {
  @Test(arguments: GardenKind.allCases)
  func `Objects that nothing refers to are found by inverses and by relationships without one`(
    kind: GardenKind
  ) async throws {
    let store = try GardenStore(kind)
    try store.write { context in
      let author = context.add("Author", ["firstName": "Ada", "lastName": "L"])
      context.add("Author", ["firstName": "No", "lastName": "Body"])
      let work = context.add("Category", ["name": "Work"])
      context.add("Category", ["name": "Empty"])
      context.add("Note", ["title": "a", "author": author, "category": work])
      context.add("Note", ["title": "b"])
    }
    let categories = try Orphans(entity: "Category", in: store.coordinator)
    #expect(categories.relationships == ["Note.category"])
    #expect(categories.isWholePredicate && categories.predicate == "notes.@count == 0")
    #expect(try await categories.objects().objects.map(\.name) == ["Empty"])
    let authors = try Orphans(entity: "Author", in: store.coordinator)
    #expect(!authors.isWholePredicate && authors.relationships == ["Note.author"])
    let found = try await authors.objects()
    #expect(found.objects.map(\.name) == ["No Body"] && !found.hasMore)
    let notes = try Orphans(entity: "Note", in: store.coordinator)
    #expect(try await notes.objects().objects.map(\.name) == ["b"])
    #expect(try await notes.objects(limit: 1).objects.count == 1)
  }

  @Test func `Of many objects some are told, and that there are more`() async throws {
    let store = try GardenStore()
    try store.write { context in for number in 0..<2_000 { context.add("Tag", ["name": "\(number)"]) } }
    let found = try await Orphans(entity: "Tag", in: store.coordinator).objects(limit: 10)
    #expect(found.objects.count == 10 && found.hasMore)
  }
}
