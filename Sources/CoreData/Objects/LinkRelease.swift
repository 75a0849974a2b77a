import CRuntime

/// Releases what objects lead to when they are deallocated.
///
/// An object owns the objects that it leads to. A chain of them would be released one inside of the other, and the
/// stack overflows where the chain has some ten thousand objects. So the release goes some levels deep, as most of them
/// do, and what is deeper waits for the outermost one.
enum LinkRelease {
  /// Each level takes about a kilobyte of the stack, of which a thread may have 512.
  private static let deepestLevel = 32

  /// The objects to release. One thread uses the list, from the first object that waits to the last one.
  private final class Waiting {
    var extras: [ObjectExtras] = []

    /// Nothing else owns what is taken out, which is released here.
    func releaseLast() -> Bool { extras.popLast() != nil }
  }

  /// Releases the extras of an object that is deallocated, or adds them to those that the outermost level releases.
  static func release(_ extras: inout ObjectExtras?) {
    let depth = releaseDepth()
    if depth >= deepestLevel { return postpone(&extras) }
    setReleaseDepth(depth + 1)
    extras = nil
    if depth == 0 { releaseWaiting() }
    setReleaseDepth(depth)
  }

  private static func postpone(_ extras: inout ObjectExtras?) {
    let waiting: Waiting
    if let known = waitingRelease() {
      waiting = Unmanaged<Waiting>.fromOpaque(known).takeUnretainedValue()
    } else {
      waiting = Waiting()
      setWaitingRelease(Unmanaged.passRetained(waiting).toOpaque())
    }
    append(&extras, to: waiting)
  }

  /// When it returns, `waiting` alone owns the extras.
  @inline(never)
  private static func append(_ extras: inout ObjectExtras?, to waiting: Waiting) {
    if let moved = extras { waiting.extras.append(moved) }
    extras = nil
  }

  /// Releases what waits, and what comes to wait by that. Called on the outermost level, which is not left meanwhile.
  private static func releaseWaiting() {
    guard let known = waitingRelease() else { return }
    let waiting = Unmanaged<Waiting>.fromOpaque(known).takeRetainedValue()
    while waiting.releaseLast() {}
    setWaitingRelease(nil)
  }
}

extension ObjectExtras {
  /// True when other objects may be released with these extras.
  var hasLinks: Bool { !destinations.isEmpty || !toMany.isEmpty || !fetchedProperties.isEmpty || !orderedSets.isEmpty }
}
