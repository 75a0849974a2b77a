import Testing

@testable import Seeding

@Suite("Words for entities")
struct EntityNamesTests {
  private let names = EntityNames([
    "Tag", "Category", "Note", "Person", "BlogPost", "Bus", "Box", "Dish", "Match", "Hero", "Analysis", "Day",
    "Child", "Index", "News", "New", "Datum", "Data", "TeamMember", "Leaf", "URLItem",
  ])

  @Test(
    "an entity is found by its name, its plural and its other spellings",
    arguments: [
      ("Tag", "Tag"), ("tag", "Tag"), ("tags", "Tag"), ("TAGS", "Tag"), ("Tags", "Tag"),
      ("categories", "Category"), ("notes", "Note"), ("people", "Person"), ("persons", "Person"),
      ("blogPosts", "BlogPost"), ("blog_posts", "BlogPost"), ("blog-post", "BlogPost"),
      ("BlogPosts", "BlogPost"),
      ("buses", "Bus"), ("boxes", "Box"), ("dishes", "Dish"), ("matches", "Match"), ("heroes", "Hero"),
      ("heros", "Hero"), ("analyses", "Analysis"), ("days", "Day"), ("children", "Child"),
      ("indices", "Index"),
      ("indexes", "Index"), ("teamMembers", "TeamMember"), ("leaves", "Leaf"), ("urlItems", "URLItem"),
    ]
  )
  func finds(word: String, entity: String) {
    #expect(names.match(word) == .one(entity))
  }

  @Test("an entity's own name takes precedence over another entity's plural")
  func nameFirst() {
    #expect(names.match("news") == .one("News"))
    #expect(names.match("Data") == .one("Data"))
    #expect(names.match("data") == .one("Data"))
  }

  @Test(
    "a name that no entity has is not found",
    arguments: ["", "s", "tagz", "categorys!", "foo", "post"]
  )
  func unknown(word: String) {
    #expect(names.match(word) == .none)
  }

  @Test("a plural that two entities share gives both")
  func ambiguous() {
    let names = EntityNames(["Axis", "Axe", "axis"])
    #expect(names.match("axes") == .several(["Axe", "Axis", "axis"]))
    #expect(names.match("AXIS") == .several(["Axis", "axis"]))
    #expect(names.match("axis") == .one("axis"))
  }
}
