extension NSManagedObjectContext {
  /// The context's reaction when objects of one fetch fire faults of the same relationship one by one;
  /// ``FaultPolicy/ignore`` unless set.
  ///
  /// A new context has the policy of its parent, or of ``NSPersistentContainer/faultPolicy``. Fetches from now on count.
  public final var faultPolicy: FaultPolicy {
    get { faultWatch?.policy ?? .ignore }
    set {
      if newValue != faultPolicy { faultWatch = FaultWatch(newValue) }
    }
  }
}
