/// The relationship whose objects a grid shows.
struct ScopeFields: TemplateFields {
  let scopeRelationship, scopeTitle, scopeAddress, scopeWithout: String
  let scopeOrder: String?
}
