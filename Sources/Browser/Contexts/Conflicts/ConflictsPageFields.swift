/// The page on which the user decides conflicts.
struct ConflictsPageFields: PageFields {
  static let template = "conflicts"
  let stamp, action, editsAddress: String
  let isOutdated: Bool
  let conflicts: [ConflictFields]
}
