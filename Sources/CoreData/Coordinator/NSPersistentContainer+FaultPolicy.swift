extension NSPersistentContainer {
  /// The reaction of the container's contexts when objects of one fetch fire faults of the same relationship one by
  /// one; ``FaultPolicy/ignore`` unless set.
  ///
  /// The view context and contexts that are made from now on have this policy, unless they are given another one. Set it
  /// before the view context is used.
  public final var faultPolicy: FaultPolicy {
    get { persistentStoreCoordinator.commonFaultPolicy.policy }
    set {
      persistentStoreCoordinator.commonFaultPolicy.policy = newValue
      viewContext.faultPolicy = newValue
    }
  }
}
