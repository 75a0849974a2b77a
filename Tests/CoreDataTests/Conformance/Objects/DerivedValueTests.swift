import CoreData
import Foundation
import Testing

@Suite("Derived values")
struct DerivedValueTests {
  private func album(_ stack: Stack, _ name: String, sizes: [Int64] = []) -> Album {
    let album = Album(context: stack.context)
    album.name = name
    for size in sizes { _ = photo(stack, size, album) }
    return album
  }

  private func photo(_ stack: Stack, _ size: Int64, _ album: Album?) -> Photo {
    let photo = Photo(context: stack.context)
    photo.size = size
    photo.album = album
    return photo
  }

  /// The album as another context reads it from the store.
  private func kept(_ stack: Stack) throws -> Album {
    try #require(try stack.fetch(Album.self, in: stack.newContext()).first)
  }

  @Test("a derived value is not there before the save", arguments: StoreKind.keepingRules)
  func before(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    #expect(album(stack, "É").value(forKey: "searchName") == nil)
  }

  @Test("canonical: makes text without case and diacritics", arguments: StoreKind.keepingRules)
  func canonical(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = album(stack, "Éclair Ünder")
    try stack.save()
    #expect(try kept(stack).value(forKey: "searchName") as? String == "eclair under")
  }

  @Test("uppercase: makes capitals", arguments: StoreKind.keepingRules)
  func uppercase(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = album(stack, "blue")
    try stack.save()
    #expect(try kept(stack).value(forKey: "loudName") as? String == "BLUE")
  }

  @Test(
    "a derived value is updated when its source is saved",
    arguments: StoreKind.keepingRules
  )
  func update(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "one")
    try stack.save()
    album.name = "Two"
    try stack.save()
    #expect(try kept(stack).value(forKey: "searchName") as? String == "two")
  }

  @Test("the object that was saved has the derived values at once", arguments: [StoreKind.inMemory, .sqlite])
  func inObject(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "One", sizes: [1, 2])
    try stack.save()
    #expect(album.value(forKey: "searchName") as? String == "one")
    #expect(album.value(forKey: "photoCount") as? Int == 2)
    #expect(!album.hasChanges)
  }

  @Test("@count follows the relationship", arguments: StoreKind.keepingRules)
  func count(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "a", sizes: [1, 2])
    try stack.save()
    #expect(try kept(stack).value(forKey: "photoCount") as? Int == 2)
    _ = photo(stack, 5, album)
    try stack.save()
    #expect(try kept(stack).value(forKey: "photoCount") as? Int == 3)
    for photo in album.photos { stack.context.delete(photo) }
    try stack.save()
    #expect(try kept(stack).value(forKey: "photoCount") as? Int == 0)
  }

  @Test("@sum follows the destinations' values", arguments: StoreKind.keepingRules)
  func sum(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "a", sizes: [1, 2])
    try stack.save()
    #expect(try kept(stack).value(forKey: "totalSize") as? Int == 3)
    album.photos.first { $0.size == 2 }?.size = 40
    try stack.save()
    #expect(try kept(stack).value(forKey: "totalSize") as? Int == 41)
  }

  @Test("a value across a to-one relationship follows the destination", arguments: StoreKind.keepingRules)
  func toOne(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "old", sizes: [1])
    try stack.save()
    album.name = "new"
    try stack.save()
    let photo = try #require(try stack.fetch(Photo.self, in: stack.newContext()).first)
    #expect(photo.value(forKey: "albumName") as? String == "new")
  }

  @Test("now() is the time of the last save that changed the object", arguments: StoreKind.keepingRules)
  func now(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let album = album(stack, "a")
    let start = Date()
    try stack.save()
    let first = try #require(try kept(stack).value(forKey: "changedAt") as? Date)
    #expect(first >= start.addingTimeInterval(-1) && first <= Date())
    _ = photo(stack, 1, nil)
    try stack.save()
    #expect(try kept(stack).value(forKey: "changedAt") as? Date == first)
    album.name = "b"
    try stack.save()
    #expect(try #require(try kept(stack).value(forKey: "changedAt") as? Date) > first)
  }

  @Test("a derived attribute can be fetched by", arguments: StoreKind.keepingRules)
  func fetched(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = album(stack, "Été", sizes: [1, 2, 3])
    _ = album(stack, "Hiver")
    try stack.save()
    let context = stack.newContext()
    #expect(try stack.fetch(Album.self, "searchName == 'ete'", in: context).map(\.name) == ["Été"])
    #expect(try stack.fetch(Album.self, "photoCount > 2", in: context).map(\.name) == ["Été"])
  }

  @Test(
    "a value that cannot be derived fails the save, and the error names the attribute",
    arguments: [StoreKind.inMemory]
  )
  func failure(_ kind: StoreKind) throws {
    let model = GraphModel.make()
    let attribute = try #require(
      model.entitiesByName["Album"]?.attributesByName["searchName"] as? NSDerivedAttributeDescription
    )
    attribute.derivationExpression = NSExpression(format: "missing.@count")
    let stack = try Stack(kind, model: model)
    _ = album(stack, "a")
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.localizedDescription.contains("Album.searchName") == true)
  }
}
