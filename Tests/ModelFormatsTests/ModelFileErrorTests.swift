import Foundation
import Testing

@testable import ModelFormats

@Suite("A broken model file")
struct ModelFileErrorTests {
  /// The error for a file with some lines inside `<model>`.
  private func refusal(_ lines: String) -> String? {
    let text = "<?xml version=\"1.0\"?>\n<model>\n\(lines)\n</model>\n"
    do {
      let document = try ModelDocument(contents: Data(text.utf8), file: "M.xcdatamodel/contents")
      try document.check(file: "M.xcdatamodel/contents")
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  @Test("A model or mapping model with very deep nesting is an error", arguments: [100, 255, 50_000])
  func deepNesting(_ depth: Int) throws {
    let nested = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    let problem = try #require(refusal("<entity name=\"A\">\n\(nested)</entity>"))
    #expect(problem.contains(":4: a") && problem.contains("inside of 100 others"), "\(problem)")
    #expect(throws: ModelFileError.self) {
      try MappingSource(Data("<database>\(nested)</database>".utf8), file: nil)
    }
  }

  @Test(
    "An error in a model file names the line, the element, the attribute and the problem",
    arguments: [
      ("<entity/>", ":3: entity, name: the attribute is missing; it should be a text that is not empty"),
      (
        "<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"Integer 8\"/></entity>",
        ":4: entity A, attribute x, attributeType: \"Integer 8\" is not as expected: one of: Undefined, Integer 16,"
      ),
      (
        "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" minValueString=\"few\"/></entity>",
        ":3: entity A, attribute x, minValueString: \"few\" is not a value of type Integer 64"
      ),
      (
        "<entity name=\"A\"><attribute name=\"x\" optional=\"maybe\"/></entity>",
        ":3: entity A, attribute x, optional: \"maybe\" is not as expected: YES or NO"
      ),
      (
        "<entity name=\"A\"/>\n<entity name=\"A\"/>",
        ":4: entity A, name: there is another entity of this name"
      ),
      (
        "<entity name=\"A\" parentEntity=\"B\"/>",
        ":3: entity A, parentEntity: there is no entity B in the model"
      ),
      (
        "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
        ":3: entity A, parentEntity: the entity inherits from itself by way of B"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" maxCount=\"1\"/></entity>",
        ":3: entity A, relationship r, destinationEntity: the relationship leads nowhere"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\"/></entity>",
        ":3: entity A, relationship r, destinationEntity: there is no entity B in the model"
      ),
      (
        "<entity name=\"Note\"><relationship name=\"r\" destinationEntity=\"Notes\"/></entity>",
        ":3: entity Note, relationship r, destinationEntity: there is no entity Notes in the model; correct it to \"Note\""
      ),
      (
        "<entity name=\"Note\"><relationship name=\"others\" destinationEntity=\"Note\" inverseName=\"other\"/></entity>",
        ":3: entity Note, relationship others, inverseName: entity Note has no relationship other; "
          + "correct it to \"others\""
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" inverseName=\"s\"/></entity>",
        ":3: entity A, relationship r, inverseName: entity A has no relationship s"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\" inverseName=\"s\"/></entity>\n"
          + "<entity name=\"B\"><relationship name=\"s\" destinationEntity=\"C\"/></entity><entity name=\"C\"/>",
        ":3: entity A, relationship r, inverseName: B.s leads to C and not back to A"
      ),
      (
        "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\" inverseName=\"s\"/>\n"
          + "<relationship name=\"q\" destinationEntity=\"B\" inverseName=\"s\"/></entity>"
          + "<entity name=\"B\"><relationship name=\"s\" destinationEntity=\"A\"/></entity>",
        ":4: entity A, relationship q, inverseName: B.s is the inverse of A.r already"
      ),
      (
        "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></entity>",
        ":3: entity A, attribute x, composite: there is no composite C in the model"
      ),
      (
        "<composite name=\"C\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></composite>",
        ":3: composite C: the composite contains itself, or others to a depth of more than 64"
      ),
      (
        "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\"/></entity>\n"
          + "<entity name=\"B\" parentEntity=\"A\"><attribute name=\"x\" attributeType=\"Date\"/></entity>",
        ":4: entity B, attribute x, name: the entity has another property of this name, or inherits one"
      ),
      (
        "<configuration name=\"Main\"><memberEntity name=\"A\"/></configuration>",
        ":3: configuration Main, memberEntity, name: there is no entity A in the model"
      ),
      (
        "<entity name=\"A\"><uniquenessConstraints><uniquenessConstraint><constraint value=\"x\"/>"
          + "</uniquenessConstraint></uniquenessConstraints></entity>",
        ":3: entity A, uniquenessConstraint, value: the entity has no property x"
      ),
    ]
  )
  func isNamed(lines: String, message: String) {
    let found = refusal(lines) ?? "no error"
    #expect(found.hasPrefix("M.xcdatamodel/contents" + message), "\(found)")
  }

  @Test(
    "invalid text bytes in names and values are found before Foundation's parser, which some of them crash",
    arguments: [
      "<model>\n<attr\u{FF}ibute name=\"a\"/></model>", "<model>\n<a n\u{FF}me=\"a\"/></model>",
      "<model>\n<a name=\"\u{FF}\"/></model>",
    ]
  )
  func noText(_ text: String) throws {
    // The letter is one byte here; in UTF-8 it has two.
    let data = try #require(text.data(using: .isoLatin1))
    let error = #expect(throws: ModelFileError.self) { try ModelDocument(contents: data, file: "contents") }
    #expect(error?.localizedDescription.hasPrefix("contents:2: ") == true)
    #expect(error?.localizedDescription.contains("not UTF-8") == true)
  }

  @Test("An error for invalid XML names its line")
  func brokenXML() {
    let text = "<model>\n<entity name=\"A\">\n</model>"
    #expect {
      _ = try ModelDocument(contents: Data(text.utf8), file: "contents")
    } throws: {
      $0.localizedDescription.hasPrefix("contents:3: ")
        && $0.localizedDescription.contains("not well-formed XML")
    }
  }

  @Test("The errors for a file of another kind, an empty one and a missing one differ")
  func others() {
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch {
        return error.localizedDescription
      }
    }
    #expect(
      message { _ = try ModelDocument(contents: Data("<plist/>".utf8)) }.contains("a <plist> and no <model>")
    )
    #expect(message { _ = try ModelDocument(contents: Data()) }.contains("the file is empty"))
    let missing = URL(fileURLWithPath: "/nowhere/M.xcdatamodeld")
    #expect(
      message { _ = try ModelDocument(contentsOf: missing) }
        == "/nowhere/M.xcdatamodeld: there is no such file"
    )
  }

  @Test("An error for a model file has the code and the path of Apple's file errors")
  func isCocoaError() {
    let error = ModelFileError(.missing, file: "/a", problem: "there is no such file")
    #expect(ModelFileError.errorDomain == "NSCocoaErrorDomain")
    #expect(error.errorCode == 260)
    #expect(error.errorUserInfo[NSFilePathErrorKey] as? String == "/a")
  }
}
