import StoreEditing

/// The state that the pages of a writable store share.
struct BrowserWriting: Sendable {
  let session: EditingSession
  /// The token that every form contains, so that pages of other sites cannot send forms.
  let token = SessionToken()
  let seeds = PendingSeeds()

  init(_ session: EditingSession) { self.session = session }
}
