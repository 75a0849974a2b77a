/// Seeds in each text format, and a Swift source.
enum SeedTexts {
  static let all: [(name: String, text: String)] = [
    ("seed.json", json), ("lines.jsonl", lines), ("people.csv", csv), ("people.tsv", tabs),
    ("seed.yaml", yaml),
  ]

  private static let json = """
    {
      "$keys": {"Person": ["name"], "Tag": ["name"], "Department": ["name"]},
      "tags": [{"$id": "r", "name": "red"}, {"name": "new"}],
      "departments": [{"name": "Birds"}, {"name": "Reptiles"}],
      "people": [
        {"name": "Ann", "age": 30, "born": "1990-05-01T10:00:00Z", "balance": 12.34, "tags": [{"$ref": "r"}, "new"],
         "department": "Birds", "photo": "AQID", "token": "8B1F8F0C-52A5-4E0A-8C0E-1F6E6A1D4C11", "notes": ["a", 1.5, null, true]},
        {"name": "Bob", "weight": 1e3, "isActive": true, "home": "https://example.org/bob", "department": {"name": "New"}}
      ],
      "employees": [{"name": "Eve", "salary": "1000.50", "reports": []}]
    }
    """
  private static let lines = """
    {"$entity": "tags", "name": "red"}
    {"$entity": "people", "name": "Ann", "age": 1, "tags": ["red"]}

    {"$entity": "people", "name": "Bob", "born": 12345.5, "notes": {"a": [1, 2]}}
    {"$entity": "employees", "name": "Eve", "salary": 12.5}
    """
  private static let csv = [
    "name,age,born,isActive,balance,tags", "Ann,30,2001-01-01T00:00:00Z,true,12.34,red",
    "\"Bob \"\"B\"\"\",,,,,\"red\r\nsecond line\"", "Eve,7,,false,-1,", "",
  ].joined(separator: "\r\n")
  private static let tabs = "name\tage\tweight\nAnn\t30\t1.5\nBob\t\t\nEve\t7\t-2e3\n"
  private static let yaml = """
    tags: &tags
      - name: red
      - {name: blue}
    people:
      - name: Ann
        age: 30
        born: 2001-01-01T00:00:00Z
        notes: |
          several
          lines
        tags: [red, blue]
      - &bob
        name: "Bob"
        isActive: yes
      - name: 'Eve'
        weight: .5
    """

  static let swift = """
    import CoreData
    import UIKit

    @objc(Person)
    public class Person: NSManagedObject {
      @NSManaged private var name: String?
      @NSManaged var tags: Set<Tag>
      @objc func show(_ sender: Any) { print(#keyPath(Person.name), #selector(show(_:))) }
      let request: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Person")
      var sorted: [NSSortDescriptor] { [NSSortDescriptor(key: #keyPath(Person.name), ascending: true)] }
      func all() throws -> [Person] { try managedObjectContext!.fetch(request) as! [Person] }
    }
    """
}
