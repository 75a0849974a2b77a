import Foundation
import HTTPTypes
import Hummingbird
import Seeding
import StoreEditing
import Texts

extension BrowserPages {
  /// The greatest number of changes that the preview lists.
  private static let mostListed = 200

  /// Returns the page for pasting a seed. After an error it contains the pasted text and the problem.
  func seedPage(_ text: String = "", problem: String? = nil, status: HTTPResponse.Status = .ok) -> Response {
    let fields = SeedPageFields(
      seedText: text,
      action: address.seed,
      problem: problem.map { frame.sentence($0) },
      isPasted: true,
      isPreview: false,
      isDone: false
    )
    return .page(frame.page(fields, title: "Import a seed", tab: nil), status: status)
  }

  /// Computes the changes that a seed would make, and leads to the page of the preview if the seed is valid.
  func previewSeed(_ form: FormFields, writing: BrowserWriting) async throws -> Response {
    let text = form["seed"] ?? ""
    let data = Data(text.utf8)
    guard !text.allSatisfy(\.isWhitespace) else {
      return seedPage(problem: "Paste a seed in JSON first.", status: .unprocessableContent)
    }
    do {
      let preview = try await writing.session.preview(ofSeed: data)
      return .seeOther(address.seed(writing.seeds.add(data, preview: preview)))
    } catch let error as SeedError {
      return seedPage(text, problem: error.description, status: .unprocessableContent)
    } catch let failure as EditingFailure where failure.code == .unsavedChanges {
      return seedPage(text, problem: failure.description, status: .conflict)
    }
  }

  /// Returns the page with the changes that a seed would make, or with the result of its import.
  func seedPage(of name: String, writing: BrowserWriting) async throws -> Response {
    let seed = try Self.seed(name, writing: writing)
    if let report = seed.report {
      let fields = SeedPageFields(
        seedAddress: address.seed,
        isPasted: false,
        isPreview: false,
        isDone: true,
        counts: counts(report)
      )
      return .page(frame.page(fields, title: "Import a seed", tab: nil))
    }
    if let preview = writing.seeds.popPreview(of: name) { return .page(render(preview, name: name)) }
    return .page(render(try await writing.session.preview(ofSeed: seed.data), name: name))
  }

  /// Imports a seed whose changes the user has seen.
  func takeIn(seed name: String, writing: BrowserWriting) async throws -> Response {
    _ = try Self.seed(name, writing: writing)
    // If a form is sent twice, only the first request imports the seed.
    if let data = writing.seeds.begin(name) {
      do {
        writing.seeds.finish(name, report: try await writing.session.takeIn(seed: data))
      } catch {
        writing.seeds.cancel(name)
        throw error
      }
    }
    return .seeOther(address.seed(name))
  }

  private static func seed(_ name: String, writing: BrowserWriting) throws -> PendingSeeds.Seed {
    if let seed = writing.seeds.seed(name) { return seed }
    throw HTTPError(
      .notFound,
      message: "Another seed was pasted since, or the program was started anew; paste it again."
    )
  }

  private func render(_ preview: SeedPreview, name: String) -> String {
    let changes = preview.changes
    let fields = SeedPageFields(
      action: address.seed(name),
      seedAddress: address.seed,
      untold: changes.count > Self.mostListed ? Self.number(changes.count - Self.mostListed) : nil,
      isPreview: true,
      changedObjects: changes.prefix(Self.mostListed).map { change in
        SeedChangeFields(
          changeKind: Self.word(change.kind),
          changeEntity: Self.oneLine(change.entity),
          changeName: Self.oneLine(change.name),
          changeValues: change.values.map { value in
            SeedValueFields(
              valueName: Self.oneLine(value.key),
              valuePresent: Self.oneLine(value.present),
              valueNew: Self.oneLine(value.new)
            )
          }
        )
      },
      counts: counts(preview.report)
    )
    return frame.page(fields, title: "Preview of the import", tab: nil)
  }

  private static func word(_ kind: SeedPreview.Change.Kind) -> String {
    switch kind {
    case .created: "inserted"
    case .updated: "updated"
    case .deleted: "deleted"
    }
  }

  private func counts(_ report: SeedReport) -> [SeedCountFields] {
    report.entities.sorted { $0.key < $1.key }.map { entity, counts in
      SeedCountFields(
        countEntity: Self.oneLine(entity),
        countInserted: Self.number(counts.created),
        countUpdated: Self.number(counts.updated),
        countUnchanged: Self.number(counts.unchanged)
      )
    }
  }
}
