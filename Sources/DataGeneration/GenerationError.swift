public import Foundation

/// The reason why data cannot be generated for a model and a plan.
///
/// ```swift
/// do {
///   _ = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Nite": 12]))
/// } catch {
///   print(error.place, error.problem, error.remedy)
/// }
/// ```
public struct GenerationError: Error, Hashable, Sendable {
  /// The entity, or the property as `Entity.name`, that the error is about.
  public let place: String

  /// The problem, in words.
  public let problem: String

  /// The remedy, in words.
  public let remedy: String

  /// True if the plan asks for data that the model does not allow, so that another plan is the remedy.
  var isOfPlan = false
}

extension GenerationError: CustomStringConvertible, LocalizedError {
  /// One line: the place, the problem, the remedy.
  public var description: String { "\(place): \(problem); \(remedy)" }

  /// The same line as `description`.
  public var errorDescription: String? { description }
}
