/// The rules, each of which stands on its own.
enum Rules {
  static let all: [any PortingRule.Type] = [
    ObjectiveCAttributeRule.self, ObjectiveCProtocolRule.self, InterfaceBuilderRule.self, KeyPathRule.self,
    SelectorRule.self, KeyValueObservingRule.self, CoreDataImportRule.self, UnavailableImportRule.self,
    MissingImportRule.self, FoundationNameRule.self, FetchRequestCastRule.self, FetchRequestResultRule.self,
    SharedNameRule.self, PrivateTypeRule.self, InheritedInitializerRule.self, UnavailableNameRule.self,
    OverrideRule.self,
  ]
}
