import Foundation
import NoteSeeds

/// A kind of page of the large store, with its addresses in both programs.
struct PageKind: Sendable {
  /// The address of a page, and a text that only the requested page contains.
  struct Address: Sendable {
    let path: @Sendable (Int) -> String
    let mark: String
  }

  let name: String
  let browser: Address
  let datasette: Address
  /// True if the page is reached by the link to the next page.
  var isNext = false
  /// True for pages for which a store has to scan all notes.
  var isScan = false
  /// True for parts of a page that are requested later. They have separate lines in the tables.
  var isLater = false

  static let all: [PageKind] =
    grids + predicates + objects + [
      PageKind(
        name: "counts by category",
        browser: .init(path: { _ in "/entity/Note/facet?by=category" }, mark: "class=\"grid counts\""),
        datasette: .init(path: { _ in "/Notes/ZNOTE?_size=50&_facet=ZCATEGORY" }, mark: "facet-info"),
        isLater: true
      )
    ]

  private static let grids = [
    grid("a grid, by key", { "after=\($0)" }, { "_next=\($0)" }),
    PageKind(
      name: "a grid, by the link to the next page",
      browser: grid("", { "after=\($0)" }, { "_next=\($0)" }).browser,
      datasette: grid("", { "after=\($0)" }, { "_next=\($0)" }).datasette,
      isNext: true
    ),
    grid(
      "a grid sorted by a date with an index",
      { "sort=createdAt&after=\($0)&value=d\(LargeStore.created($0))" },
      { "_sort=ZCREATEDAT&_next=\(LargeStore.created($0)).0%2C\($0)" }
    ),
    grid(
      "a grid sorted by a date without an index",
      { "sort=updatedAt&after=\($0)&value=d\(LargeStore.updated($0))" },
      { "_sort=ZUPDATEDAT&_next=\(LargeStore.updated($0)).0%2C\($0)" },
      isScan: true
    ),
  ]

  private static let predicates = [
    grid(
      "a predicate of one note, with an index",
      { predicate("title == 'note \($0)'") },
      { "ZTITLE__exact=note+\($0)" }
    ),
    grid(
      "a predicate of many notes, with an index",
      { predicate("createdAt > CAST(\(LargeStore.created($0)), \"NSDate\")") },
      { "ZCREATEDAT__gt=\(LargeStore.created($0))" }
    ),
    grid(
      "the notes of a category",
      { "of=Category&key=\($0 % NotesFile.categories + 1)&owner=Category&relationship=notes" },
      { "ZCATEGORY=\($0 % NotesFile.categories + 1)" }
    ),
    grid(
      "a predicate of one note, without an index",
      { predicate("contents ENDSWITH 'note \($0)'") },
      { "ZCONTENTS__endswith=note+\($0)" },
      isScan: true
    ),
  ]

  private static let objects = [
    PageKind(
      name: "a note",
      browser: .init(path: { "/entity/Note/\($0)" }, mark: "class=\"values\""),
      datasette: .init(path: { "/Notes/ZNOTE/\($0)" }, mark: "class=\"col-")
    ),
    PageKind(
      name: "a category of many notes",
      browser: .init(
        path: { "/entity/Category/\($0 % NotesFile.categories + 1)" },
        mark: "class=\"values\""
      ),
      datasette: .init(path: { "/Notes/ZCATEGORY/\($0 % NotesFile.categories + 1)" }, mark: "class=\"col-")
    ),
    PageKind(
      name: "all entities",
      browser: .init(path: { _ in "/" }, mark: "<tr data-row"),
      datasette: .init(path: { _ in "/Notes" }, mark: "ZNOTE")
    ),
  ]

  /// Pages of fifty rows.
  private static func grid(
    _ name: String,
    _ browser: @escaping @Sendable (Int) -> String,
    _ datasette: @escaping @Sendable (Int) -> String,
    isScan: Bool = false
  ) -> PageKind {
    PageKind(
      name: name,
      browser: Address(path: { "/entity/Note?\(browser($0))" }, mark: "<tr data-row"),
      datasette: Address(path: { "/Notes/ZNOTE?_size=50&\(datasette($0))" }, mark: "class=\"col-"),
      isScan: isScan
    )
  }

  private static func predicate(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
    return "where=" + (text.addingPercentEncoding(withAllowedCharacters: plain) ?? text)
  }
}
