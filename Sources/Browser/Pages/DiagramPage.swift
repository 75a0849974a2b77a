import CoreData
import Diagrams
import Foundation
import Hummingbird
import ModelFormats
import StoreExploration
import Texts

extension BrowserPages {
  /// The greatest distance of an entity's neighbors in a diagram, in lines.
  private static let farthest = 6

  /// Returns the page with the picture of the model, or of one entity with its neighbors.
  func diagramPage(_ items: QueryItems) -> Response {
    let choice = DiagramChoice(items, known: catalogue.entities.map(\.name))
    let around = choice.entity.map(neighbors) ?? []
    let fields = DiagramPageFields(
      diagramStyle: address.asset("diagram.css"),
      diagramAddress: address.diagram,
      svgAddress: address.diagram + ".svg" + choice.query,
      dotAddress: address.diagram + ".dot" + choice.query,
      find: items["find"],
      chosenName: choice.entity.map { VisibleText(line: $0, atMost: 200).description },
      chosenAddress: choice.entity.map { address.entity($0) },
      chosenModel: choice.entity.map { address.model($0) },
      isNotFound: items["find"] != nil && choice.entity == nil,
      isWhole: choice.distance == nil && choice.entity != nil,
      picture: EscapedText(markup: picture(choice, styleSheet: false)),
      choices: catalogue.entities.map { entity in
        DiagramChoiceFields(
          choiceName: VisibleText(line: entity.name, atMost: 200).description,
          choiceValue: entity.name,
          choiceIsCurrent: entity.name == choice.entity
        )
      },
      distances: (1...Self.farthest).map { distance in
        DistanceFields(distance: "\(distance)", distanceIsCurrent: distance == choice.distance)
      },
      neighbors: around.map { neighbor in
        NeighborFields(
          neighborName: VisibleText(line: neighbor.entity, atMost: 200).description,
          neighborAddress: address.diagram
            + DiagramChoice.query(neighbor.entity, distance: choice.distance),
          neighborWords: VisibleText(line: neighbor.words, atMost: 300).description
        )
      }
    )
    return .page(frame.page(fields, title: "Diagram", tab: .diagram))
  }

  /// Returns the picture as a file for saving.
  func diagramFile(_ items: QueryItems, isDOT: Bool) -> Response {
    let choice = DiagramChoice(items, known: catalogue.entities.map(\.name))
    var response: Response
    if isDOT {
      response = .text(diagram(choice).dot(options(choice, styleSheet: true)), type: "text/vnd.graphviz; charset=utf-8")
    } else {
      response = .text(picture(choice, styleSheet: true), type: "image/svg+xml")
    }
    response.headers[.contentDisposition] = "attachment; filename=\"model.\(isDOT ? "dot" : "svg")\""
    return response
  }

  private func picture(_ choice: DiagramChoice, styleSheet: Bool) -> String {
    diagram(choice).svg(options(choice, styleSheet: styleSheet))
  }

  private func diagram(_ choice: DiagramChoice) -> ModelDiagram {
    ModelDiagram(
      ModelDocument(explored.model),
      entities: choice.distance == nil ? [] : choice.entity.map { [$0] } ?? [],
      neighborDistance: choice.distance ?? 1
    )
  }

  private func options(_ choice: DiagramChoice, styleSheet: Bool) -> ModelDiagram.Options {
    var options = ModelDiagram.Options()
    options.includesStyleSheet = styleSheet
    options.markedEntities = choice.entity.map { [$0] } ?? []
    options.scalesToPage = styleSheet
    if !styleSheet {
      // In the picture of the whole model, a click on an entity shows only its neighbors.
      let (diagram, distance) = (address.diagram, choice.entity == nil ? 1 : choice.distance)
      options.url = { diagram + DiagramChoice.query($0, distance: distance) }
    }
    return options
  }

  /// A neighbor of an entity in the diagram, and the names of the lines between them.
  private struct DiagramNeighbor {
    let entity: String
    let words: String
  }

  /// Returns the neighbors of an entity, sorted by name.
  private func neighbors(of name: String) -> [DiagramNeighbor] {
    guard let entity = explored.model.entitiesByName[name] else { return [] }
    var words: [String: [String]] = [:]
    func add(_ other: NSEntityDescription?, text: String) {
      if let other = other?.name { words[other, default: []].append(text) }
    }
    add(entity.superentity, text: "parent")
    for child in entity.subentities { add(child, text: "subentity") }
    for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
      add(relationship.destinationEntity, text: relationship.name)
    }
    for other in explored.model.entities where other !== entity {
      for relationship in other.relationshipsByName.values.sorted(by: { $0.name < $1.name })
      where relationship.destinationEntity === entity && relationship.inverseRelationship == nil {
        add(other, text: "\(other.name ?? "").\(relationship.name)")
      }
    }
    return words.sorted { $0.key < $1.key }.map {
      DiagramNeighbor(entity: $0.key, words: $0.value.joined(separator: ", "))
    }
  }

  /// The part of a model that a picture shows.
  private struct DiagramChoice {
    /// The entity in the center; `nil` for none.
    let entity: String?
    /// The distance of its farthest neighbors; `nil` for the whole model.
    let distance: Int?

    /// Reads the choice from an address.
    ///
    /// - Parameter known: the names of the model's entities. A search finds the entity of that name, or else the
    ///   first entity whose name contains the text.
    init(_ items: QueryItems, known: [String]) {
      let chosen = items["entity"].flatMap { known.contains($0) ? $0 : nil }
      entity = items["find"].map { Self.found($0, among: known) } ?? chosen
      distance =
        items["distance"] == "all" || entity == nil
        ? nil : min(max(items["distance"].flatMap(Int.init) ?? 1, 1), BrowserPages.farthest)
    }

    private static func found(_ text: String, among known: [String]) -> String? {
      known.first { $0.compare(text, options: .caseInsensitive) == .orderedSame }
        ?? known.first { $0.range(of: text, options: .caseInsensitive) != nil }
    }

    var query: String { entity.map { Self.query($0, distance: distance) } ?? "" }

    static func query(_ entity: String, distance: Int?) -> String {
      PageAddress.query([("entity", entity), ("distance", distance.map { "\($0)" } ?? "all")])
    }
  }
}
