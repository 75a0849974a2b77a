/// The page of a save that is under way, and its part that a script loads anew.
struct SavingPageFields: PageFields {
  static let template = "saving"
  static let part = "savingprogress"
  let seconds, number, editsAddress, savingAddress, cancelAddress, formToken: String
  let isUnderWay, isWaiting: Bool
}
