/// The progress of a running comparison, which a script loads anew.
struct ComparisonProgressFields: TemplateContext {
  static let template = "comparisonprogress"
  let comparisonAddress, stopAddress, runningNumber, readCount, expectedCount, readValue: String
  let expectedValue, doneCount, entityCount: String
  let entityName: String?
  let isRunning: Bool
}
