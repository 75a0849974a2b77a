import StoreEditing

/// What the pages of a store that is written share.
struct BrowserWriting: Sendable {
  let session: EditingSession
  /// The word that all forms have, so that no page of another site can send one.
  let token = SessionToken()
  let seeds = PendingSeeds()

  init(_ session: EditingSession) { self.session = session }
}
