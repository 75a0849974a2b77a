import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

/// A seed that cannot be imported, and the line number in its error.
struct BadSeed: CustomTestStringConvertible, Sendable {
  let what: String
  let files: [(name: String, data: Data)]
  let code: SeedError.Code
  let line: String

  init(_ what: String, _ text: String, in file: String = "seed.json", _ code: SeedError.Code, _ line: String) {
    self.init(what, files: [(file, Data(text.utf8))], code, line)
  }

  init(_ what: String, files: [(String, Data)], _ code: SeedError.Code, _ line: String) {
    self.what = what
    self.files = files
    self.code = code
    self.line = line
  }

  var testDescription: String { what }

  var sources: [SeedSource] { files.map { .data($0.data, name: $0.name) } }

  static let all = texts + headers + records + values + references + objects
}

extension TestModel {
  /// The entities of the other models, and some unusual entities.
  static func everything(hasComposite: Bool) -> NSManagedObjectModel {
    let odd = makeEntity(
      "Odd",
      makeAttribute("short", .stringAttributeType),
      makeAttribute("coded", .stringAttributeType),
      makeAttribute("cityName", .stringAttributeType),
      makeAttribute("day", .dateAttributeType)
    )
    odd.attributesByName["short"]?.setValidationPredicates(
      [NSPredicate(format: "length <= 3")],
      withValidationWarnings: ["too long"]
    )
    odd.attributesByName["coded"]?.userInfo = ["JSONTransformerName": "NoSuchTransformer"]
    odd.attributesByName["cityName"]?.userInfo = ["JSONKeyPath": "city.name"]
    odd.attributesByName["day"]?.userInfo = ["seed.dates": "dd.MM.yyyy"]
    let derived = NSDerivedAttributeDescription()
    derived.name = "upper"
    derived.attributeType = .stringAttributeType
    derived.derivationExpression = NSExpression(format: "uppercase:(short)")
    derived.isOptional = true
    odd.properties += [derived]
    let models = [notes(), things(hasComposite: hasComposite), library()]
    let merged = NSManagedObjectModel(byMerging: models) ?? notes()
    let copy = merged.copy() as? NSManagedObjectModel ?? merged
    copy.entities += [odd, makeEntity("Axe"), makeEntity("Axis")]
    return copy
  }
}
