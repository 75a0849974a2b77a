import Foundation
import Hummingbird
import StoreEditing

extension FormFields {
  /// The name of the field, and of the address's item, with the number of a save.
  static let saveName = "save"
}

/// The pages of a save that is under way.
extension BrowserPages {
  /// The greatest time for which the response to a form waits for the end of a save that does not wait for another
  /// program.
  private static let longestResponse = Duration.seconds(20)

  /// Returns the response to a form that has begun a save.
  ///
  /// It is the result if the save ends before it has waited for another program for a second. Otherwise it leads to the
  /// page of the save.
  func answer(to save: StagedSave, writing: BrowserWriting) async throws -> Response {
    try await answer(to: save, state: await save.untilNews(within: Self.longestResponse), writing: writing)
  }

  /// Returns the page of a save with its progress, or the result of a save that has ended. A script loads only the
  /// progress.
  func savingPage(_ items: QueryItems, writing: BrowserWriting) async throws -> Response {
    // The result of an earlier save says nothing about the present changes.
    guard let save = Self.save(items[FormFields.saveName], writing: writing) else { return .seeOther(address.edits) }
    let state = save.state
    if state.isEnd { return try await answer(to: save, state: state, writing: writing) }
    let fields = savingFields(save, state: state, token: writing.token)
    if items["part"] != nil { return .page(Templates.part(fields)) }
    return .page(frame.page(fields, title: "Save", tab: nil))
  }

  /// Cancels the save that a form names, and returns its result.
  func cancelSave(_ form: FormFields, writing: BrowserWriting) async throws -> Response {
    guard let save = Self.save(form[FormFields.saveName], writing: writing) else { return .seeOther(address.edits) }
    return try await answer(to: save, state: await save.cancel(), writing: writing)
  }

  /// Returns the latest save, if it has the given number.
  private static func save(_ number: String?, writing: BrowserWriting) -> StagedSave? {
    writing.session.latestSave.flatMap { "\($0.number)" == number ? $0 : nil }
  }

  private func answer(to save: StagedSave, state: StagedSave.State, writing: BrowserWriting) async throws
    -> Response
  {
    switch state {
    case .running, .waiting: .seeOther(address.saving(save.number))
    case .ended(let outcome): try await answer(to: outcome, writing: writing)
    case .failed(let error): throw error
    case .cancelled: .seeOther(address.edits(did: .cancel))
    }
  }

  private func savingFields(_ save: StagedSave, state: StagedSave.State, token: SessionToken)
    -> SavingPageFields
  {
    let (isWaiting, beginning) = Self.beginning(of: state)
    return SavingPageFields(
      seconds: Self.number(Int(max(0, beginning.duration(to: .now).components.seconds))),
      number: "\(save.number)",
      editsAddress: address.edits,
      savingAddress: address.saving(save.number),
      cancelAddress: address.edits("cancel"),
      formToken: token.text,
      isUnderWay: true,
      isWaiting: isWaiting
    )
  }

  private static func beginning(of state: StagedSave.State) -> (isWaiting: Bool, beginning: ContinuousClock.Instant) {
    switch state {
    case .running(let since): (false, since)
    case .waiting(let since): (true, since)
    case .ended, .failed, .cancelled: (false, .now)
    }
  }
}
