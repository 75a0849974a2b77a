/// All rules. They are independent of each other.
enum Rules {
  static let all: [PortingRule.Type] = [
    ObjectiveCAttributeRule.self, ObjectiveCProtocolRule.self, OptionalRequirementRule.self,
    InterfaceBuilderRule.self, KeyPathRule.self,
    SelectorRule.self, ObserverRule.self, KeyValueObservingRule.self, CoreDataImportRule.self,
    UnavailableImportRule.self,
    MissingImportRule.self, CoreFoundationRule.self, RunLoopModeRule.self, FoundationModuleRule.self,
    StandardStreamRule.self,
    FoundationNameRule.self, ReplacedNameRule.self,
    FetchRequestCastRule.self, FetchRequestResultRule.self,
    SharedNameRule.self, PrivateTypeRule.self, InheritedInitializerRule.self, UnavailableNameRule.self,
    TimeUnitRule.self, SetLiteralRule.self, ExpectationRule.self, MigrationMessageRule.self,
    OverrideRule.self, SortSelectorRule.self, MessageNameRule.self, LocalizedStringRule.self,
    ConfinementRule.self, BundleRule.self,
    BundleURLRule.self, UserDefaultsRule.self, SharedContainerRule.self, ReplaceItemRule.self,
    PublisherRule.self,
    TestCaseDelegateRule.self, PlainImportRule.self,
  ]
}
