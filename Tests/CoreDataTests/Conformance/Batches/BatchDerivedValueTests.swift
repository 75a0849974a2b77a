import CoreData
import Foundation
import Testing

@Suite("Derived values after batch requests")
struct BatchDerivedValueTests {
  private func albums(_ stack: Stack) throws -> [Album] {
    try stack.fetch(
      Album.self,
      sort: [NSSortDescriptor(key: "name", ascending: true)],
      in: stack.newContext()
    )
  }

  private func texts(_ stack: Stack, _ key: String) throws -> [String?] {
    try albums(stack).map { $0.value(forKey: key) as? String }
  }

  private func numbers(_ stack: Stack, _ key: String) throws -> [Int?] {
    try albums(stack).map { $0.value(forKey: key) as? Int }
  }

  private func albumWithPhotos(_ stack: Stack, _ name: String, _ sizes: [Int64]) {
    let album = Album(context: stack.context)
    album.name = name
    for size in sizes {
      let photo = Photo(context: stack.context)
      photo.size = size
      photo.album = album
    }
  }

  /// One album with photos of sizes 1 and 2, and two albums with a photo of size 3.
  private func twoAlbums(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack.graph(kind)
    albumWithPhotos(stack, "one", [1, 2])
    albumWithPhotos(stack, "two", [3])
    try stack.save()
    return stack
  }

  @Test("a batch insertion computes derived values", arguments: StoreKind.takingBatches)
  func insertion(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    try stack.context.execute(
      NSBatchInsertRequest(entityName: "Album", objects: [["name": "Éclair"], [:], ["name": "Ünder"]])
    )
    #expect(try texts(stack, "searchName") == [nil, "eclair", "under"])
    #expect(try texts(stack, "loudName") == [nil, "ÉCLAIR", "ÜNDER"])
    #expect(try numbers(stack, "photoCount") == [0, 0, 0])
    #expect(try albums(stack).allSatisfy { $0.value(forKey: "changedAt") is Date })
  }

  @Test("a batch update updates values derived from its attributes", arguments: StoreKind.takingBatches)
  func update(_ kind: StoreKind) throws {
    let stack = try twoAlbums(kind)
    let renaming = NSBatchUpdateRequest(entityName: "Album")
    renaming.predicate = NSPredicate(format: "name == 'one'")
    renaming.propertiesToUpdate = ["name": "Éins"]
    try stack.context.execute(renaming)
    #expect(try texts(stack, "searchName") == ["two", "eins"])
    #expect(try texts(stack, "loudName") == ["TWO", "ÉINS"])
    let names = try stack.fetch(Photo.self, "size < 3", in: stack.newContext())
    #expect(names.map { $0.value(forKey: "albumName") as? String } == ["Éins", "Éins"])
    let growing = NSBatchUpdateRequest(entityName: "Photo")
    growing.propertiesToUpdate = ["size": NSExpression(format: "size * 10")]
    try stack.context.execute(growing)
    #expect(try numbers(stack, "totalSize") == [30, 30])
  }

  @Test("a batch update of relationships updates derived values", arguments: StoreKind.takingBatches)
  func movingUpdate(_ kind: StoreKind) throws {
    let stack = try twoAlbums(kind)
    let moving = NSBatchUpdateRequest(entityName: "Photo")
    moving.predicate = NSPredicate(format: "size == 2")
    let two = try #require(try albums(stack).last)
    moving.propertiesToUpdate = ["album": two.objectID]
    try stack.context.execute(moving)
    #expect(try numbers(stack, "photoCount") == [1, 2])
    #expect(try numbers(stack, "totalSize") == [1, 5])
  }

  @Test("a batch deletion updates derived values", arguments: StoreKind.takingBatches)
  func deletion(_ kind: StoreKind) throws {
    let stack = try twoAlbums(kind)
    let fetch = NSFetchRequest<Photo>(entityName: "Photo")
    fetch.predicate = NSPredicate(format: "size > 1")
    try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    #expect(try numbers(stack, "photoCount") == [1, 0])
    #expect(try numbers(stack, "totalSize") == [1, 0])
  }
}
