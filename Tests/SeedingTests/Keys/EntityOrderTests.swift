import Testing

@testable import Seeding

@Suite("The order of entities")
struct EntityOrderTests {
  @Test("entities are ordered after the entities that they refer to, and otherwise by name")
  func dependencies() {
    let order = DependencyOrder.sorted(destinations: [
      "Note": ["Tag", "Category"], "Tag": [], "Category": ["Palette"], "Palette": [], "Alone": [],
    ])
    #expect(order == ["Alone", "Palette", "Category", "Tag", "Note"])
  }

  @Test("an entity that refers to itself does not count as a cycle")
  func itself() {
    #expect(
      DependencyOrder.sorted(destinations: ["B": ["B", "C"], "C": [], "A": ["B"]]) == ["C", "B", "A"]
    )
  }

  @Test("a cycle of entities begins at its first name, and entities outside of the seed are ignored")
  func circle() {
    let order = DependencyOrder.sorted(destinations: ["B": ["A"], "A": ["B"], "C": ["A", "Elsewhere"]])
    #expect(order == ["A", "B", "C"])
  }
}
