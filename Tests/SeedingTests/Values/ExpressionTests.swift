import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Values by expressions over a record's other keys")
struct ExpressionTests {
  private func title(_ expression: String, _ fields: String = "") throws -> String? {
    let store = try TestStore(.inMemory, Self.model)
    let quoted = String(decoding: try JSONEncoder().encode(expression), as: UTF8.self)
    try store.seed("{\"people\": [{\"fullName\": {\"$expression\": \(quoted)}\(fields)}]}")
    return try store.first("Person", "fullName", as: String.self)
  }

  private static var model: NSManagedObjectModel {
    let person = makeEntity(
      "Person",
      makeAttribute("fullName", .stringAttributeType),
      makeAttribute("firstName", .stringAttributeType),
      makeAttribute("lastName", .stringAttributeType),
      makeAttribute("nick", .stringAttributeType),
      makeAttribute("height", .integer16AttributeType),
      makeAttribute("weight", .decimalAttributeType),
      makeAttribute("isTall", .booleanAttributeType),
      makeAttribute("data", .binaryDataAttributeType)
    )
    let team = makeEntity("Team", makeAttribute("name", .stringAttributeType))
    relate(person, "team", isToMany: false, team, "people", isToMany: true)
    relate(person, "groups", isToMany: true, team, "members", isToMany: true)
    return makeModel([person, team]) { _ in }
  }

  @Test(
    "expressions join texts, calculate with all digits, and choose values",
    arguments: [
      ("firstName + ' ' + lastName", "Ada Lovelace"), ("first_name + \", \" + height", "Ada, 165"),
      ("'it''s'", nil), ("'it\\'s' + \"\\n\"", "it's\n"), ("'' + (1 + 2 * 3 - 8 / 4)", "5"),
      ("'' + 0.1 * 3", "0.3"), ("'' + -(2 - 5)", "3"),
      ("'' + 12345678901234567890.5 * 2", "24691357802469135781"),
      ("uppercase:(firstName) + lowercase(lastName)", "ADAlovelace"), ("'' + length:('née')", "3"),
      ("'' + floor:(0 - 2.5) + ceiling:(2.5) + trunc:(0 - 2.5) + abs:(0 - 1)", "-33-21"),
      ("TERNARY(nick == nil, firstName, nick)", "Ada"), ("TERNARY(height >= 165, 'tall', 'small')", "tall"),
      ("TERNARY(firstName < lastName, 'a', TERNARY(1 = 1, 'b', 'c'))", "a"),
      ("TERNARY(isTall == true, 'x', 'y')", "x"),
      ("'' + weight * 2", "124.5"), ("TERNARY(nick != nil, 'x', nil)", nil), ("'' + isTall", "true"),
    ]
  )
  func values(expression: String, expected: String?) throws {
    let fields =
      ", \"firstName\": \"Ada\", \"lastName\": \"Lovelace\", \"height\": 165, \"weight\": \"62.25\", \"isTall\": true"
    if expression == "'it''s'" {
      #expect(throws: SeedError.self) { try title(expression, fields) }
    } else {
      #expect(try title(expression, fields) == expected)
    }
  }

  @Test(
    "a wrong expression is refused with the problem and its position",
    arguments: [
      ("", "the expression is empty"), ("firstName +", "is broken at character 12"),
      ("(1", "\")\" is expected"),
      ("'a", "a text has no closing quote"), ("1 1", "an operator or the end is expected"),
      ("FUNCTION(self, 'x')", "there is no function \"FUNCTION\" in seeds"), ("$x", "is expected"),
      ("firstNam", "neither the record nor Person has it"),
      ("firstName + nick", "the record has no value for \"nick\""),
      ("firstName * 2", "* in the expression does not go with the text \"Ada\" and the number 2"),
      ("1 / 0", "divides by zero"), ("1e127 * 1e127", "too large or too small"), ("1e999", "is not a number"),
      ("uppercase:(1)", "uppercase: in the expression does not go with the number 1"),
      ("data + 'x'", "cannot be in an expression"),
      ("TERNARY(1 < 'a', 1, 2)", "< in the expression does not go with"),
      ("TERNARY(1)", "a comparison such as == is expected"),
      (String(repeating: "(", count: 5000), "nested more than 50 deep"),
      (String(repeating: "-", count: 5000), "nested more than 50 deep"),
      (String(repeating: "1+", count: 4000) + "1", "more than 200 operations"),
      (String(repeating: " ", count: 20_000), "more than 10000 characters"),
      ("fullName", "cannot be in an expression"),
    ]
  )
  func refused(expression: String, problem: String) throws {
    let error = #expect(throws: SeedError.self) {
      try title(expression, ", \"firstName\": \"Ada\", \"data\": {\"$file\": \"x\"}")
    }
    #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.position?.line == 1 && error?.position?.key == "fullName" && error?.position?.record == 1)
  }

  @Test("expressions do not create texts that exceed the record limit")
  func large() throws {
    let store = try TestStore(.inMemory, Self.model)
    let text = String(repeating: "x", count: 10_000)
    var source = SeedSource.data(
      Data(
        #"{"people": [{"firstName": "\#(text)", "fullName": {"$expression": "firstName + firstName"}}]}"#.utf8
      ),
      name: "seed.json"
    )
    source.limits.largestRecord = 15_000
    let error = #expect(throws: SeedError.self) { try Seeder(source).runAndWait(in: store.coordinator) }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    "expressions give values of all types, keys and references, in each kind of store",
    arguments: TestStore.Kind.allCases
  )
  func types(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, Self.model)
    let json = #"""
      {"$keys": {"people": ["fullName"]}, "teams": [{"name": "team 1"}, {"name": "b"}], "people": [{
        "firstName": "1", "height": {"$expression": "100 + 65"}, "weight": {"$expression": "height2 / 2"},
        "fullName": {"$expression": "'p' + firstName"}, "isTall": {"$expression": "TERNARY(firstName == '1', true, false)"},
        "team": {"$expression": "'team ' + firstName"}, "groups": [{"$expression": "'team ' + firstName"}, "b"]}]}
      """#.replacingOccurrences(of: "height2", with: "3")
    _ = try store.seed(json)
    #expect(
      try store.lines("Person", "fullName", "height", "weight", "isTall", "team.name", "groups.name")
        == ["p1|165|1.5|1|team 1|b,team 1"]
    )
    #expect(try store.seed(json, policy: .always).total.unchanged == 3)
  }

  @Test("expressions know the types of a table's columns")
  func tables() throws {
    let store = try TestStore(.inMemory, Self.model)
    try store.seed(
      "first_name,height,full_name.$expression\n Ada,165,\"firstName + '-' + (height + 1)\"\n",
      name: "people.csv"
    )
    #expect(try store.values("Person", "fullName") == [" Ada-166"])
  }
}
