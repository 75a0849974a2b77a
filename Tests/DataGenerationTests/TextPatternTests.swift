import Foundation
import Testing

@testable import DataGeneration

@Suite("Texts for regular expressions")
struct TextPatternTests {
  @Test(
    "every generated text matches its pattern completely",
    arguments: [
      "[A-Z]{2}-\\d{4}", "^\\w+@\\w+\\.(com|org|net)$", "(red|green|blue)?", "[^a-z]{3,5}",
      "\\+?[0-9 ]{6,12}", "a.c",
      "[\\w.%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}", "(?:ab){2}|c*",
      "[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}",
      "\\S\\D\\W", "x{2,}", "#[0-9A-F]{6}",
    ]
  )
  func matching(expression: String) throws {
    let pattern = try TextPatternParser.pattern(of: expression)
    let matcher = try NSRegularExpression(pattern: "\\A(?:\(expression))\\z")
    var random = RandomNumbers(1)
    for _ in 0..<300 {
      let text = pattern.text(random.next(below: pattern.size))
      let range = NSRange(text.startIndex..., in: text)
      #expect(matcher.firstMatch(in: text, range: range) != nil, "\(text)")
    }
  }

  @Test("texts are counted, and each number has its own")
  func counting() throws {
    for (expression, count) in [("[ab]{1,3}", 14), ("(x|yz)[0-9]?", 22), ("\\d\\d", 100)] {
      let pattern = try TextPatternParser.pattern(of: expression)
      #expect(pattern.size == UInt64(count))
      #expect(Set((0..<pattern.size).map { pattern.text($0) }).count == count)
    }
  }

  @Test(
    "an unsupported part of a pattern is named",
    arguments: ["(?=a)b", "\\bword", "\\p{L}+", "(a)\\1", "[a-z&&[aeiou]]", "a{9999}", "(a", "[a", "*"]
  )
  func unknown(expression: String) {
    #expect(throws: TextPatternParser.Unknown.self) { try TextPatternParser.pattern(of: expression) }
  }
}
