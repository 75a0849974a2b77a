import CRuntime
import Dispatch
import Synchronization

/// The memory that malloc keeps of objects that are gone, and how it is given back.
///
/// glibc's malloc gives back the end of its heap alone, and one small allocation that is still
/// needed keeps everything before it: after a fetch of a million objects that are long released,
/// the program may stay as large as it was. Where very many objects have gone, malloc is therefore
/// asked to give back every page that it has no use for.
enum FreeMemory {
  /// The least number of places that an identity map has to give up at once for memory to be given
  /// back: it had 260,000 objects or more. Fetches of fewer find what malloc keeps for them faster
  /// than new pages.
  static let placesWorthwhile = 1 << 19

  private static let calls = Atomic<Int>(0)

  /// Gives memory back in a second, unless it is called again meanwhile: most objects are released
  /// together, and a program that fetches as many again has begun by then.
  static func giveBackSoon() {
    let call = calls.add(1, ordering: .relaxed).newValue
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) {
      if calls.load(ordering: .relaxed) == call { giveBackFreeMemory() }
    }
  }
}
