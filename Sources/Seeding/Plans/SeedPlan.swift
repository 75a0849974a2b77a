public import CoreData
public import Foundation

/// A sequence of seeding runs as one value: their seeds, their profiles, code that creates further
/// objects, and the order in which the runs depend on each other.
///
/// ```swift
/// let plan = SeedPlan(
///   .init("basics", .bundle(.module, "basics"), policy: .oncePerName),
///   .init("demo", .bundle(.module, "demo.json"), profile: .starter, after: ["basics"])
/// )
/// try await plan.run(in: container)
/// ```
///
/// Each step is a run of a `Seeder`, or code that creates or changes objects. The store gets all changes of a step or
/// none of them. A step that fails ends the plan. The results of the steps before it remain in the store and in its
/// ledger. The next run skips the steps whose policies allow it, and continues with the others. To import several seeds
/// together or not at all, make them the sources of one step.
public struct SeedPlan: Sendable {
  /// The work of a step that a file cannot express: it creates or changes objects in the given
  /// context, on the context's queue. The step saves the context.
  public typealias Code = @Sendable (NSManagedObjectContext) throws -> Void

  /// Seeds that are imported together, or code.
  public struct Step: Sendable {
    /// The work of a step.
    public enum Work: Sendable {
      /// Takes in the seeds of a seeder, by its settings.
      case seeds(Seeder)

      /// Runs code, once for each store.
      case code(Code)
    }

    /// The name, by which other steps and errors refer to it, and under which the store's ledger has code.
    public var name: String

    /// The work of the step.
    public var work: Work

    /// The names of the steps that have to run before this one.
    public var dependencies: [String]

    /// Creates a step. One with other settings than those of a profile is a step of a `Seeder`.
    /// - Parameters:
    ///   - name: The name, by which other steps and errors refer to it.
    ///   - sources: The seeds, in the order in which they are read.
    ///   - profile: The profile of the step; nil to update what differs and to delete nothing.
    ///   - policy: When the seeds are left out because the store has had them; nil for the profile's, or
    ///     `oncePerContent`.
    ///   - dependencies: The names of the steps that have to run before this one.
    public init(
      _ name: String,
      _ sources: SeedSource...,
      profile: SeedProfile? = nil,
      policy: SeedPolicy? = nil,
      after dependencies: [String] = []
    ) {
      let seeder =
        profile.map { Seeder(sources, profile: $0, policy: policy) }
        ?? Seeder(sources, policy: policy ?? .oncePerContent)
      self.init(name, seeder, after: dependencies)
    }

    /// Creates a step of all that a seeder was given.
    public init(_ name: String, _ seeder: Seeder, after dependencies: [String] = []) {
      self.init(name: name, work: .seeds(seeder), after: dependencies)
    }

    /// Creates a step of code that runs once for each store: for values that have to be computed, and
    /// for changes of what is there.
    ///
    /// ```swift
    /// let plan = SeedPlan(
    ///   .init("plants", .bundle(.module, "plants.json")),
    ///   .init("double the water", after: ["plants"]) { context in
    ///     for plant in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plant")) {
    ///       plant.setValue((plant.value(forKey: "water") as? Int ?? 0) * 2, forKey: "water")
    ///     }
    ///   }
    /// )
    /// try await plan.run(in: container)
    /// ```
    ///
    /// The save of the code's changes also records the step in the store's ledger, under the step's name. The code
    /// therefore does not run again in that store, even if its objects are changed or deleted; other code needs another
    /// name. The step saves after the code has ended. If the container's only store is in SQLite or PostgreSQL, code
    /// that creates many objects may save in between: all of its saves are kept together, or none. With other stores, a
    /// save of the code remains if the code fails later.
    ///
    /// - Parameters:
    ///   - name: The name, under which the store's ledger has the step.
    ///   - dependencies: The names of the steps that have to run before this one.
    ///   - code: Makes or changes objects in the context that it is given, on its queue.
    public init(_ name: String, after dependencies: [String] = [], code: @escaping Code) {
      self.init(name: name, work: .code(code), after: dependencies)
    }

    private init(name: String, work: Work, after dependencies: [String]) {
      self.name = name
      self.work = work
      self.dependencies = dependencies
    }
  }

  /// The steps. They run in this order, except that a step runs after the steps that it depends on.
  public var steps: [Step]

  /// Creates a plan. Nothing is checked or read before it runs.
  public init(_ steps: Step...) { self.init(steps) }

  /// Creates a plan of a list of steps.
  public init(_ steps: [Step]) { self.steps = steps }

  /// Runs all steps in the first writable store of a container, as `Seeder.run(in:progress:state:)` does.
  ///
  /// ```swift
  /// let plan = SeedPlan(.init("plants", .bundle(.module, "plants.json")))
  /// for step in try await plan.run(in: container) {
  ///   print("\(step.step): \(step.report.total)")  // plants: 2 created
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - container: The container. Its stores have to be loaded.
  ///   - progress: Reports the progress of the plan, of which each step is an equal part. Cancelling it
  ///     ends the step that is running, and the plan with it.
  ///   - state: Receives the plan's beginning, progress and outcome, for a screen that shows them.
  /// - Returns: The report of each step, in the order in which they ran.
  /// - Throws: A `SeedError`: with the code `wrong-plan`, before anything is read, if two steps
  ///   have the same name, if a step depends on a missing step, or if steps depend on each other in
  ///   a cycle; otherwise the error of the step that its `step` names.
  @discardableResult
  public func run(
    in container: NSPersistentContainer,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) async throws -> [StepReport] {
    try await state.following { () async throws -> [StepReport] in
      var reports: [StepReport] = []
      let steps = try orderedSteps()
      let parts = SeedPlanProgress(progress, count: steps.count)
      for (number, step) in steps.enumerated() {
        do {
          let part = state.map { SeedingPart(state: $0, step: number, steps: steps.count) }
          let report = try await step.run(
            in: container.persistentStoreCoordinator,
            progress: try parts.next(),
            part: part
          )
          reports.append(StepReport(step: step.name, report: report))
        } catch {
          throw Self.failure(error, of: step)
        }
      }
      return reports
    } report: {
      SeedReport(adding: $0.map(\.report))
    }
  }

  /// Runs all steps in the first writable store of a coordinator, and returns when they are done.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator. Its stores have to be open.
  ///   - progress: Reports the progress of the plan, of which each step is an equal part. Cancelling
  ///     it, from another thread, ends the step that is running, and the plan with it.
  ///   - state: Receives the plan's beginning, progress and outcome, for a screen that shows them.
  /// - Returns: The report of each step, in the order in which they ran.
  /// - Throws: The errors of ``run(in:progress:state:)``.
  @discardableResult
  public func runAndWait(
    in coordinator: NSPersistentStoreCoordinator,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) throws -> [StepReport] {
    try state.following { () throws -> [StepReport] in
      let steps = try orderedSteps()
      let parts = SeedPlanProgress(progress, count: steps.count)
      return try steps.enumerated().map { number, step -> StepReport in
        do {
          let part = state.map { SeedingPart(state: $0, step: number, steps: steps.count) }
          let report = try step.runAndWait(in: coordinator, progress: try parts.next(), part: part)
          return StepReport(step: step.name, report: report)
        } catch {
          throw Self.failure(error, of: step)
        }
      }
    } report: {
      SeedReport(adding: $0.map(\.report))
    }
  }

  private static func failure(_ error: any Error, of step: Step) -> any Error {
    guard var error = error as? SeedError else { return error }
    error.step = step.name
    return error
  }
}

extension SeedPlan.Step {
  /// Runs on a thread of its own.
  fileprivate func run(
    in coordinator: NSPersistentStoreCoordinator,
    progress: Progress?,
    part: SeedingPart?
  ) async throws -> SeedReport {
    switch work {
    case .seeds(let seeder): return try await seeder.run(in: coordinator, progress: progress, part: part)
    case .code(let code):
      let step = CodedStep(name: name, code: code)
      return try await SeedRun(seeder: Seeder([]), coordinator: coordinator, progress: progress, part: part)
        .performInBackground {
          try $0.perform(step)
        }
    }
  }

  /// Runs on the caller's thread.
  fileprivate func runAndWait(
    in coordinator: NSPersistentStoreCoordinator,
    progress: Progress?,
    part: SeedingPart?
  ) throws -> SeedReport {
    switch work {
    case .seeds(let seeder): return try seeder.runAndWait(in: coordinator, progress: progress, part: part)
    case .code(let code):
      let step = CodedStep(name: name, code: code)
      return try SeedRun(seeder: Seeder([]), coordinator: coordinator, progress: progress, part: part)
        .performAndWait { try $0.perform(step) }
    }
  }
}

extension SeedPlan {
  /// The outcome of a step.
  public struct StepReport: Hashable, Sendable {
    /// The name of the step.
    public let step: String

    /// The report of its run.
    public let report: SeedReport
  }
}

/// Parts of a `Progress` for the steps of a plan.
struct SeedPlanProgress {
  private let progress: Progress?

  init(_ progress: Progress?, count: Int) {
    self.progress = progress
    progress?.totalUnitCount = Int64(max(count, 1))
    if count == 0 { progress?.completedUnitCount = 1 }
  }

  /// The part of the next step.
  ///
  /// - Throws: A `SeedError` with the code `cancelled` if the whole plan was cancelled.
  func next() throws -> Progress? {
    guard let progress else { return nil }
    guard !progress.isCancelled else {
      throw SeedError(
        code: .cancelled,
        problem: "seeding was cancelled before the step began",
        remedy: "run the plan again"
      )
    }
    let part = Progress(totalUnitCount: 1)
    progress.addChild(part, withPendingUnitCount: 1)
    return part
  }
}
