import CoreData
import Testing

@testable import Seeding

@Suite("The class of a transformable attribute")
struct TransformableClassTests {
  @Test(
    "a transformable attribute's class can be spelled as in Objective-C or in Swift",
    arguments: [
      (nil, .any), ("Any", .any), ("NSObject", .any), ("String", .string), ("NSString", .string),
      ("Int64", .number), ("NSNumber", .number), ("Date", .date), ("NSArray", .list(of: .any)),
      ("[String]", .list(of: .string)), ("Array<Int64>", .list(of: .number)),
      ("[[ Double ]]", .list(of: .list(of: .number))), ("[String: Int]", .dictionary(of: .number)),
      ("Dictionary<String, [Date]>", .dictionary(of: .list(of: .date))),
      ("[String: [String: Any]]", .dictionary(of: .dictionary(of: .any))),
      ("NSMutableDictionary", .dictionary(of: .any)), ("Set<String>", .set(of: .string)),
      ("NSSet", .set(of: .any)), ("URL", .url), ("NSUUID", .uuid), ("[Data]", .list(of: .data)),
    ] as [(String?, TransformableClass)]
  )
  func known(_ name: String?, _ kind: TransformableClass) {
    #expect(TransformableClass(named: name) == kind)
  }

  @Test(
    "a transformable attribute's class is unknown if no plain object has it",
    arguments: ["Color", "[Color]", "[Int: String]", "Set<Color>", "[]", "[:]", "Array<>", "", "[String"]
  )
  func unknown(_ name: String) {
    #expect(TransformableClass(named: name) == nil)
  }

  @Test("an error about a transformable value names the wrong element")
  func elements() throws {
    let attribute = NSAttributeDescription()
    attribute.attributeType = .transformableAttributeType
    attribute.attributeValueClassName = "[String]"
    _ = try TransformableConversion.convert(.array([.string("a")]), to: attribute)
    #expect {
      try TransformableConversion.convert(.array([.string("a"), .integer(1)]), to: attribute)
    } throws: {
      "\($0)".contains("the number 1 is not a value for a Transformable of class [String]")
        && "\($0)".contains("give a string")
    }
  }
}
