import Files
import Testing

@Suite("The folder of a path")
struct FolderOfPathTests {
  @Test(
    "is told by the text alone, for names of one character and odd paths too",
    arguments: [
      ("", "."), ("/", "/"), ("//", "/"), ("///", "/"),
      ("d", "."), ("d/", "."), ("d//", "."), ("é", "."), ("\n", "."), ("🌍", "."), ("👩‍👩‍👧/", "."),
      (".", "."), ("./", "."), ("..", "."), ("../", "."), (".a", "."), ("a.", "."), ("a.b", "."),
      ("a b", "."),
      ("ab", "."), ("ab/", "."),
      ("/d", "/"), ("/d/", "/"), ("//d", "/"), ("/.", "/"), ("/é//", "/"),
      ("./d", "."), ("../d", ".."), ("d/.", "d"), ("d/..", "d"), ("d/e", "d"), ("d//e", "d"), ("d/e/", "d"),
      ("d/e//", "d"), ("é/ü", "é"), ("ab/c/", "ab"), ("/d/e", "/d"), ("//d//e//", "//d"), ("a/b/c", "a/b"),
      ("a/b.sqlite", "a"), ("~/d", "~"),
    ]
  )
  func folder(_ path: String, _ folder: String) {
    #expect(FilePlacing.folder(of: path) == folder)
  }

  @Test("ends at a slash that an accent stands on, as the system sees it")
  func accents() {
    #expect(FilePlacing.folder(of: "a/\u{301}b") == "a")
    #expect(FilePlacing.folder(of: "/\u{301}") == "/")
  }
}
