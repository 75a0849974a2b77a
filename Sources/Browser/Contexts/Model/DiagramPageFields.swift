/// The page with the picture of the model.
struct DiagramPageFields: PageFields {
  static let template = "diagram"
  let diagramStyle, diagramAddress, svgAddress, dotAddress: String
  let find, chosenName, chosenAddress, chosenModel: String?
  let isNotFound, isWhole: Bool
  let picture: EscapedText
  let choices: [DiagramChoiceFields]
  let distances: [DistanceFields]
  let neighbors: [NeighborFields]
}
