import Testing

@testable import Seeding

@Suite("The order of entities")
struct EntityOrderTests {
  @Test("destinations come before what refers to them, otherwise names decide")
  func dependencies() {
    let order = DependencyOrder.sorted(destinations: [
      "Note": ["Tag", "Category"], "Tag": [], "Category": ["Palette"], "Palette": [], "Alone": [],
    ])
    #expect(order == ["Alone", "Palette", "Category", "Tag", "Note"])
  }

  @Test("an entity that refers to itself is no circle")
  func itself() {
    #expect(
      DependencyOrder.sorted(destinations: ["B": ["B", "C"], "C": [], "A": ["B"]]) == ["C", "B", "A"]
    )
  }

  @Test("a circle is cut at its first name, and what is outside of the seed does not count")
  func circle() {
    let order = DependencyOrder.sorted(destinations: ["B": ["A"], "A": ["B"], "C": ["A", "Elsewhere"]])
    #expect(order == ["A", "B", "C"])
  }
}
