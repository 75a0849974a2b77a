/// Objects that would stay and refer to a deleted object by a relationship without an inverse.
struct ReferringFields: TemplateFields {
  let referringCount, referringRelationship: String
  let referringUntold: String?
  let isOneReferring, isLeftDangling: Bool
  let referringObjects: [OrphanFields]
}
