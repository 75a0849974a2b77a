import Foundation
import Testing

@testable import ModelFormats

@Suite("A model file read and written again")
struct RoundTripTests {
  @Test(
    "Apple-made models lose nothing",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.contents
  )
  func losesNothing(path: String) throws {
    let data = try Data(contentsOf: ModelFixtures.url(path))
    let document = try ModelDocument(contents: data, file: path)
    let written = document.contents
    let before = try ContentsParser.parse(data, file: path)
    let after = try ContentsParser.parse(Data(written.utf8), file: "written")
    let again = try ModelDocument(contents: Data(written.utf8))
    #expect(normalized(before) == normalized(after))
    #expect(again == document)
    #expect(document.unknownParts == [])
    try document.check(file: path)
  }

  @Test(
    "the text of an element is read without the white space at its ends",
    arguments: [
      ("<a> \n\t<b/>\r\n</a>", ""), ("<a>\n one\n</a>", "one"), ("<a> &#32;&#10;one <b/> two\n <b/>\n</a>", "one  two"),
      ("<a><![CDATA[  ]]><b/>one&amp;two </a>", "one&two"), ("<a>\u{85}\u{2003}<b/>one\u{2003}</a>", "one"),
    ]
  )
  func trimsText(xml: String, text: String) throws {
    #expect(try ContentsParser.parse(Data(xml.utf8), file: nil).text == text)
  }

  @Test("unknown elements are kept, and reported with their position")
  func keepsUnknown() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="x" colour="red" documentVersion="1.0">
          <entity name="City">
              <attribute name="name" attributeType="String" shade="dark"/>
              <userInfo mood="good">
                  <entry key="a" value="b"/>
                  <note text="hm"/>
              </userInfo>
              <novelty><inner a="1">text</inner></novelty>
          </entity>
      </model>
      """
    let document = try ModelDocument(contents: Data(text.utf8))
    let again = try ModelDocument(contents: Data(document.contents.utf8))
    #expect(again == document)
    #expect(again.contents == document.contents)
    #expect(document.contents.contains("<inner a=\"1\">text</inner>"))
    #expect(
      document.unknownParts == [
        "line 2: attribute colour of <model> is unknown",
        "line 5: entity City: attribute mood of <userInfo> is unknown",
        "line 7: entity City: element <note> in <userInfo> is unknown",
        "line 9: entity City: element <novelty> in <entity> is unknown",
        "line 4: entity City, attribute name: attribute shade of <attribute> is unknown",
      ]
    )
    #expect(document.entities[0].userInfo == [.init(key: "a", value: "b")])
  }

  @Test("values with markup, quotes, line ends and tabs are read back unchanged")
  func escapes() throws {
    let value = "a<b>&\"c\"\n\td'e\r"
    var document = ModelDocument()
    var entity = ModelDocument.Entity(name: "E")
    entity.userInfo = [.init(key: value, value: value)]
    document.entities = [entity]
    let again = try ModelDocument(contents: Data(document.contents.utf8))
    #expect(again == document)
    #expect(again.entities[0].userInfo?[0].value == value)
  }

  @Test("the newest Xcode's files are reproduced byte for byte", .enabled(if: ModelFixtures.available))
  func sameBytes() throws {
    let path =
      "coredataplus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel3.xcdatamodel/contents"
    let data = try Data(contentsOf: ModelFixtures.url(path))
    let text = String(decoding: data, as: UTF8.self)
    let written = try ModelDocument(contents: data).contents
    #expect(
      written.trimmingCharacters(in: .whitespacesAndNewlines)
        == text.trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }

  @Test("true and false are read as YES and NO, which are written", arguments: [true, false])
  func truths(_ truth: Bool) throws {
    let text = """
      <model usedWithCloudKit="\(truth)"><entity name="E" isAbstract="\(truth)">\
      <attribute name="a" optional="\(truth)" usesScalarValueType="\(truth)" attributeType="Integer 16"/>\
      </entity></model>
      """
    let document = try ModelDocument(contents: Data(text.utf8))
    #expect(document.isUsedWithCloudKit == truth)
    #expect(document.entities[0].isAbstract == truth)
    #expect(document.entities[0].attributes[0].isOptional == truth)
    #expect(document.entities[0].attributes[0].usesScalarValueType == truth)
    #expect(document.contents.contains("usesScalarValueType=\"\(truth ? "YES" : "NO")\""))
    #expect(!document.contents.contains("\"\(truth)\""))
  }

  /// Removes line numbers and attributes that have their default value, which for most is NO.
  private func normalized(_ element: ContentsElement) -> ContentsElement {
    var element = element
    for index in element.attributes.indices where element.attributes[index].name == "usedWithCloudKit" {
      let words = ["true": "YES", "false": "NO"]
      let value = element.attributes[index].value
      element.attributes[index].value = words[value] ?? value
    }
    element.attributes.removeAll { $0.value == "NO" && $0.name != "usesScalarValueType" }
    element.attributes.sort { $0.name < $1.name }
    element.children = element.children.map(normalized)
    return element
  }
}
