import Testing

@testable import Cities

@Suite("A stack in code")
struct CityWalkTests {
  @Test("objects are inserted, found, changed and deleted, and each save tells what it was about")
  @MainActor
  func walk() throws {
    var told: [String] = []
    try CityWalk { told.append($0) }.walk()
    #expect(
      told == [
        "5 new objects; Rotterdam with 655000 has 3 parts",
        "saved: 5 new",
        "large: Delfshaven with 76000; Noord with 52000",
        "looked up here, the ID gives the same object",
        "looked up elsewhere, it gives an object of its own, and that is Bergen",
        "Noord with 53000; not saved yet: [\"inhabitants\"]",
        "saved: 1 changed",
        // The city also changes, because it has one neighborhood less.
        "saved: 1 changed, 1 gone",
        "Kralingen is gone, and its ID leads nowhere",
        "saved: 3 gone",
        "left: 1 city, 0 neighborhoods",
      ]
    )
  }
}
