/// The page of all objects that a deletion would affect.
struct DeletionPageFields: PageFields {
  static let template = "deletion"
  let title, objectAddress, entityName, entityAddress, deletedCount: String
  let action, refusal, limitWords, untold: String?
  let isPossibleNow, isAllowed, isForbidden, isAlone: Bool
  let counts: [CountFields]
  let deleted: [DeletedFields]
  let denied: [DeniedFields]
  let released: [ReleasedFields]
  let referring: [ReferringFields]
}
