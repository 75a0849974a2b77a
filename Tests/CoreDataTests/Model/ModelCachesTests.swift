import Testing

@testable import CoreData

@Suite("The caches of a model")
struct ModelCachesTests {
  private final class FirstCache: ModelCache {}
  private final class SecondCache: ModelCache {}

  @Test("a model returns the same cache each time that a caller asks for its type")
  func sameCache() {
    let model = NSManagedObjectModel()
    let first = model.caches[FirstCache.self]
    _ = model.caches[SecondCache.self]
    #expect(model.caches[FirstCache.self] === first)
  }

  @Test("two models share no cache")
  func separateModels() {
    let (one, other) = (NSManagedObjectModel(), NSManagedObjectModel())
    #expect(one.caches[FirstCache.self] !== other.caches[FirstCache.self])
  }
}
