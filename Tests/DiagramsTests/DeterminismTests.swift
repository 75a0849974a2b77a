import Diagrams
import ModelFormats
import Testing

@Suite("Pictures of equal models")
struct DeterminismTests {
  @Test("the same model gives the same bytes each time")
  func sameBytes() {
    let document = RandomDocument.document(entities: 40, seed: 3)
    let first = ModelDiagram(document)
    let again = ModelDiagram(RandomDocument.document(entities: 40, seed: 3))
    #expect(first.svg() == again.svg())
    #expect(first.dot() == again.dot())
    let other = ModelDiagram(RandomDocument.document(entities: 40, seed: 4))
    #expect(first.svg() != other.svg())
  }
}
