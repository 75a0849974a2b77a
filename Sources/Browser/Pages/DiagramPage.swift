import CoreData
import Diagrams
import Foundation
import Hummingbird
import ModelFormats
import StoreExploration
import Texts

extension BrowserPages {
  /// The farthest neighbours of an entity that a diagram can be asked for.
  private static let farthest = 6

  /// The page with the picture of the model, or of an entity with what is around it.
  func diagramPage(_ items: QueryItems) -> Response {
    let choice = DiagramChoice(items, known: Set(catalogue.entities.map(\.name)))
    let fields: TemplateFields = [
      "picture": EscapedText(markup: picture(choice, styleSheet: false)),
      "diagramStyle": address.asset("diagram.css"),
      "diagramAddress": address.diagram,
      "svgAddress": address.diagram + ".svg" + choice.query,
      "dotAddress": address.diagram + ".dot" + choice.query,
      "isPart": choice.entity != nil,
      "choices": catalogue.entities.map { entity -> TemplateFields in
        [
          "choiceName": VisibleText(line: entity.name, atMost: 200).description, "choiceValue": entity.name,
          "choiceIsCurrent": entity.name == choice.entity,
        ]
      },
      "distances": (1...Self.farthest).map { distance -> TemplateFields in
        ["distance": "\(distance)", "distanceIsCurrent": distance == choice.distance]
      },
    ]
    return .page(frame.page("diagram", title: "Diagram", tab: .diagram, fields))
  }

  /// The picture as a file to be saved.
  func diagramFile(_ items: QueryItems, isDOT: Bool) -> Response {
    let choice = DiagramChoice(items, known: Set(catalogue.entities.map(\.name)))
    var response: Response
    if isDOT {
      response = .text(
        diagram(choice).dot(options(styleSheet: true)),
        type: "text/vnd.graphviz; charset=utf-8"
      )
    } else {
      response = .text(picture(choice, styleSheet: true), type: "image/svg+xml")
    }
    response.headers[.contentDisposition] = "attachment; filename=\"model.\(isDOT ? "dot" : "svg")\""
    return response
  }

  private func picture(_ choice: DiagramChoice, styleSheet: Bool) -> String {
    diagram(choice).svg(options(styleSheet: styleSheet))
  }

  private func diagram(_ choice: DiagramChoice) -> ModelDiagram {
    ModelDiagram(
      ModelDocument(explored.model),
      entities: choice.entity.map { [$0] } ?? [],
      neighborDistance: choice.distance
    )
  }

  private func options(styleSheet: Bool) -> ModelDiagram.Options {
    var options = ModelDiagram.Options()
    options.includesStyleSheet = styleSheet
    if !styleSheet {
      let address = address
      options.url = { address.entity($0) }
    }
    return options
  }

  /// The part of a model that a picture is to show.
  private struct DiagramChoice {
    /// `nil` for the whole model.
    let entity: String?
    let distance: Int

    init(_ items: QueryItems, known: Set<String>) {
      entity = items["entity"].flatMap { known.contains($0) ? $0 : nil }
      distance = min(max(items["distance"].flatMap(Int.init) ?? 1, 1), BrowserPages.farthest)
    }

    var query: String {
      guard let entity else { return "" }
      return PageAddress.query([("entity", entity), ("distance", "\(distance)")])
    }
  }
}
