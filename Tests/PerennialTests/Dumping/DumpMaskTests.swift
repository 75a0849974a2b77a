import Foundation
import Testing

/// Stores for bug reports: a small part of a store, without personal texts.
@Suite("perennial dump --mask", .enabled(if: Program.url != nil, "the program is not built"))
struct DumpMaskTests {
  private static func model(hint: String = "") -> String {
    let note =
      hint.isEmpty
      ? "" : "<userInfo><entry key=\"dump.mask\" value=\"\(hint)\"/></userInfo>"
    return """
      <model><entity name="Customer"><attribute name="email" attributeType="String"/>\
      <attribute name="name" optional="YES" attributeType="String"/>\
      <attribute name="note" optional="YES" attributeType="String">\(note)</attribute>\
      <attribute name="home" optional="YES" attributeType="Composite" composite="Home"/>\
      <relationship name="orders" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>\
      <uniquenessConstraints><uniquenessConstraint><constraint value="email"/></uniquenessConstraint>\
      </uniquenessConstraints></entity>\
      <entity name="Order"><attribute name="number" attributeType="Integer 32"/>\
      <attribute name="email" optional="YES" attributeType="String"/>\
      <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>\
      <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>\
      </uniquenessConstraints></entity>\
      <composite name="Home"><attribute name="street" optional="YES" attributeType="String"/>\
      <attribute name="number" optional="YES" attributeType="Integer 32"/></composite></model>
      """
  }

  private static let seed = """
    {"customers": [
       {"email": "ada@home", "name": "Ada Secret", "note": "private", "home": {"street": "Hidden Lane", "number": 7}},
       {"email": "bob@home", "name": "Bob Secret"}],
     "orders": [
       {"number": 1, "email": "ada@home", "customer": "ada@home"}, {"number": 2, "customer": "ada@home"},
       {"number": 3, "email": "bob@home", "customer": "bob@home"}]}
    """

  private func seeded(hint: String = "") throws -> Program {
    let program = try Program()
    try program.write(Self.model(hint: hint), to: "Shop.xcdatamodel/contents")
    try program.write(Self.seed, to: "shop.json")
    let seeded = try program.run("seed", "Shop.xcdatamodel", "shop.json", "--store", "Shop.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    return program
  }

  private func records(_ text: String, _ entity: String) throws -> [[String: Any]] {
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return parsed?[entity] as? [[String: Any]] ?? []
  }

  private let masks = [
    "--mask", "Customer.email,Customer.name=fullName", "--mask", "Customer.home,Order.email",
  ]

  @Test("masked texts are nowhere in the dump, and equal texts have equal replacements")
  func masked() throws {
    let program = try seeded()
    let dumped = try program.run(["dump", "Shop.sqlite"] + masks)
    #expect(dumped.status == 0, "\(dumped.errors)")
    for text in ["ada@home", "bob@home", "Secret", "Hidden"] { #expect(!dumped.output.contains(text)) }
    #expect(dumped.output.contains("private"))
    let customers = try records(dumped.output, "Customer")
    let ada = try #require(customers.first { $0["note"] as? String == "private" })
    let email = try #require(ada["email"] as? String)
    #expect(email.contains("@") && (ada["home"] as? [String: Any])?["number"] as? Int == 7)
    #expect(customers.count == 2 && Set(customers.compactMap { $0["email"] as? String }).count == 2)
    let orders = try records(dumped.output, "Order")
    #expect(orders.compactMap { $0["customer"] as? String }.count { $0 == email } == 2)
    #expect(orders.first { $0["number"] as? Int == 1 }?["email"] as? String == email)
    #expect(try program.run(["dump", "Shop.sqlite"] + masks).output == dumped.output)
    try program.write(dumped.output, to: "report.json")
    let loaded = try program.run("seed", "Shop.xcdatamodel", "report.json", "--store", "Report.sqlite")
    #expect(loaded.output == "Customer: 2 created\nOrder: 3 created\n", "\(loaded.errors)")
    #expect(try program.run("dump", "Report.sqlite").output == dumped.output)
    #expect(try program.run("dump", "Shop.sqlite").output.contains("Ada Secret"))
  }

  @Test("an inherited unique text stays unique in all entities that inherit it")
  func inherited() throws {
    let program = try Program()
    try program.write(
      """
      <model><entity name="Person" isAbstract="YES"><attribute name="code" attributeType="String" \
      minValueString="6" maxValueString="6"/><uniquenessConstraints><uniquenessConstraint>\
      <constraint value="code"/></uniquenessConstraint></uniquenessConstraints></entity>\
      <entity name="Chef" parentEntity="Person"/><entity name="Guest" parentEntity="Person"/></model>
      """,
      to: "People.xcdatamodel/contents"
    )
    try program.write(
      #"{"chefs": [{"code": "secret"}, {"code": "hidden"}], "guests": [{"code": "closed"}]}"#,
      to: "people.json"
    )
    let seeded = try program.run("seed", "People.xcdatamodel", "people.json", "--store", "People.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let dumped = try program.run("dump", "People.sqlite", "--mask", "Person.code", "--mask-strict")
    #expect(dumped.status == 0, "\(dumped.errors)")
    for text in ["secret", "hidden", "closed"] { #expect(!dumped.output.contains(text)) }
    try program.write(dumped.output, to: "masked.json")
    let loaded = try program.run("seed", "People.xcdatamodel", "masked.json", "--store", "Masked.sqlite")
    #expect(loaded.output == "Chef: 2 created\nGuest: 1 created\n", "\(loaded.errors)")
  }

  @Test("a masked dump finds an object by its real key, and a part has the same texts as the whole")
  func object() throws {
    let program = try seeded()
    let part = try program.run(["dump", "Shop.sqlite", "--object", "order", "1"] + masks)
    #expect(part.status == 0, "\(part.errors)")
    let whole = try program.run(["dump", "Shop.sqlite"] + masks)
    let lines = part.output.split(separator: "\n").filter { $0.contains("@") }
    #expect(lines.count == 2)
    for line in lines { #expect(whole.output.contains(line.trimmingCharacters(in: [" ", ","]))) }
    let customer = try program.run(["dump", "Shop.sqlite", "--object", "customer", "bob@home"] + masks)
    #expect(customer.status == 0 && !customer.output.contains("bob@home"), "\(customer.errors)")
  }

  @Test("a strict mask fails for a text without a rule, and accepts rules in the model")
  func strict() throws {
    let program = try seeded()
    let open = try program.run(["dump", "Shop.sqlite", "--mask-strict"] + masks)
    #expect(open.status == 1 && open.output.isEmpty)
    #expect(open.errors.contains("nothing is said about Customer.note;"), "\(open.errors)")
    let kept = try program.run(
      ["dump", "Shop.sqlite", "--mask-strict", "--no-mask", "Customer.note"] + masks
    )
    #expect(kept.status == 0 && kept.output.contains("private"), "\(kept.errors)")
    for (hint, isMasked) in [("no", false), ("yes", true), ("sentence", true)] {
      let other = try seeded(hint: hint)
      let dumped = try other.run(["dump", "Shop.sqlite", "--mask-strict"] + masks)
      #expect(dumped.status == 0 && dumped.output.contains("private") != isMasked, "\(dumped.errors)")
      let rules = try other.run("dump", "Shop.sqlite", "--mask", "model")
      #expect(rules.output.contains("private") != isMasked && rules.output.contains("Ada Secret"))
      #expect(try other.run("dump", "Shop.sqlite").output.contains("private"))
    }
  }

  @Test("a limit and a depth choose a small part that loads")
  func part() throws {
    let program = try seeded()
    for (options, counts) in [
      (["--entity", "order", "--limit", "2"], ["Customer": 1, "Order": 2]),
      (["--entity", "order", "--limit", "2", "--depth", "0"], ["Customer": 0, "Order": 2]),
      (["--object", "order", "3", "--depth", "1"], ["Customer": 1, "Order": 1]),
    ] {
      let dumped = try program.run(["dump", "Shop.sqlite"] + options)
      #expect(dumped.status == 0, "\(dumped.errors)")
      for (entity, count) in counts {
        let records = try records(dumped.output, entity)
        #expect(records.count == count)
      }
      try program.write(dumped.output, to: "part.json")
      let loaded = try program.run(
        "seed",
        "Shop.xcdatamodel",
        "part.json",
        "--store",
        "Part\(options.count).sqlite"
      )
      #expect(loaded.status == 0, "\(loaded.errors)")
    }
  }

  @Test(
    "a mask that cannot be is one line",
    arguments: [
      ("Customer.mail", "its text attributes are email, home.street, name, note"),
      ("Customer", "give an entity and an attribute"), ("Nobody.email", "no entity"),
      ("Customer.email=colourful", "is not a kind of text"),
      ("Order.number", "its text attributes are email"),
      ("Customer.name,Customer.name", "is given twice"),
    ]
  )
  func wrong(mask: String, words: String) throws {
    let program = try seeded()
    let outcome = try program.run("dump", "Shop.sqlite", "--mask", mask)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    let hinted = try seeded(hint: "colourful")
    #expect(try hinted.run("dump", "Shop.sqlite", "--mask", "model").status == 1)
  }

  @Test(
    "wrong usage ends with status 64",
    arguments: [
      ["--limit", "2"], ["--entity", "order", "--limit", "0"], ["--depth", "1"],
      ["--entity", "order", "--depth", "-1"], ["--no-mask", "Order.email"],
      ["--entity", "order", "--references", "keys", "--depth", "1"],
    ]
  )
  func usage(options: [String]) throws {
    #expect(try seeded().run(["dump", "Shop.sqlite"] + options).status == 64)
  }
}
