import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Files

@Suite("The locks that programs have on files")
struct FileLocksTests {
  private func line(_ number: Int) -> String {
    "\(number): POSIX  ADVISORY  READ 1234 fd:01:\(number) 1073741826 1073742335\n"
  }

  @Test("Locks are found in a list that occasionally misses a line")
  func missed() {
    var lists = [line(5) + line(6), line(6) + line(8), line(5) + line(7) + line(6)]
    #expect(FileLocks.isHeld(onFileOfNumber: 7) { lists.isEmpty ? nil : lists.removeFirst() })
  }

  @Test("No locks are found if the list is the same twice, or if there is no list")
  func none() {
    var looks = 0
    let isHeld = FileLocks.isHeld(onFileOfNumber: 7) {
      looks += 1
      return line(5) + (looks == 1 ? "" : line(6))
    }
    #expect(!isHeld)
    #expect(looks == 3)
    #expect(!FileLocks.isHeld(onFileOfNumber: 7) { nil })
  }

  @Test("The search for locks ends after some time if the list differs each time")
  func restless() {
    var looks = 0
    let isHeld = FileLocks.isHeld(onFileOfNumber: 7) {
      looks += 1
      return line(1000 + looks)
    }
    #expect(!isHeld)
    #expect(looks == 64)
  }

  #if os(Linux)
    @Test("Locks are found while many others are acquired and released")
    func churn() throws {
      let folder = try TestFolder()
      let path = folder.url.appendingPathComponent("file").path
      func open(_ path: String) -> Int32 { Foundation.open(path, O_RDWR | O_CREAT, 0o600) }
      @Sendable func set(_ type: Int32, _ file: Int32) {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        #expect(fcntl(file, F_SETLK, &lock) == 0)
      }
      let others = (0..<200).map { open("\(path)\($0)") }
      let file = open(path)
      defer { for file in others + [file] { close(file) } }
      for other in others { set(F_WRLCK, other) }
      #expect(!FileLocks.isHeld(onFileAt: path))
      set(F_WRLCK, file)
      let isDone = Atomic(false)
      let end = DispatchSemaphore(value: 0)
      Thread {
        while !isDone.load(ordering: .relaxed) {
          for other in others {
            set(F_UNLCK, other)
            set(F_WRLCK, other)
          }
        }
        end.signal()
      }
      .start()
      for _ in 0..<200 { #expect(FileLocks.isHeld(onFileAt: path)) }
      isDone.store(true, ordering: .relaxed)
      end.wait()
    }
  #endif
}
