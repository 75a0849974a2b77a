import ModelFormats
import Testing

@testable import Diagrams

@Suite("Models of extreme shapes are drawn in bounded time")
struct ExtremeModelTests {
  /// Models that are each extreme in one dimension.
  enum Shape: String, CaseIterable {
    case chainOfParents, manyChildren, manyRelationshipsOfTwo, star, everyOneToEveryOther, manyAlone
    case manyPairs, longChain, manyEntities, manyToThemselves, oneManyTimesWithoutInverse

    var document: ModelDocument {
      var document = ModelDocument()
      func make(_ count: Int) { document.entities = (0..<count).map { .init(name: "E\($0)") } }
      func link(_ one: Int, _ other: Int, _ number: Int = 0) {
        document.entities[one].relationships.append(
          .init(name: "r\(other)n\(number)", destinationEntity: "E\(other)")
        )
      }
      switch self {
      case .chainOfParents:
        make(1500)
        for index in 1..<1500 { document.entities[index].parentEntity = "E\(index - 1)" }
      case .manyChildren:
        make(1500)
        for index in 1..<1500 { document.entities[index].parentEntity = "E0" }
      case .manyRelationshipsOfTwo:
        make(2)
        for number in 0..<1500 { link(0, 1, number) }
      case .star:
        make(1500)
        for index in 1..<1500 { link(0, index) }
      case .everyOneToEveryOther:
        make(40)
        for one in 0..<40 { for other in 0..<40 { link(one, other) } }
      case .manyAlone: make(3000)
      case .manyPairs:
        make(2000)
        for index in 0..<1000 { link(index * 2, index * 2 + 1) }
      case .longChain:
        make(1500)
        for index in 1..<1500 { link(index - 1, index) }
      case .manyEntities: return RandomDocument.document(entities: 2000, seed: 1)
      case .manyToThemselves:
        make(300)
        for index in 0..<300 { for number in 0..<5 { link(index, index, number) } }
      case .oneManyTimesWithoutInverse:
        make(600)
        for index in 1..<600 { link(index, 0) }
      }
      return document
    }
  }

  @Test(
    "a picture is completed for a model that is extreme in any dimension",
    .timeLimit(.minutes(60)),
    arguments: Shape.allCases
  )
  func bounded(shape: Shape) throws {
    let diagram = ModelDiagram(shape.document)
    let picture = try Picture(diagram.svg())
    #expect(picture.elements("g", "dg-entity").count == diagram.entities.count)
    #expect(
      picture.elements("g", "dg-line").filter { $0.attributes["data-from"] != nil }.count
        == diagram.lines.count
    )
  }
}
