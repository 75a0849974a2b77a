/// The owner of followed results that takes changes over itself, at once or when they are asked for.
protocol ResultsFollower: AnyObject {
  /// Called on the context's queue when the context has reported changes.
  func contextTold(_ told: ToldChanges)
}
