// H23: one file that two programs change.

import Dispatch
import Foundation
import RondoSeededRandomness
import Synchronization
import Testing

@testable import Rondo

struct FileConflictTests {
  private let program: LiveProgram
  private var url: URL { URL(filePath: program.path("number.json")) }

  init() throws {
    program = LiveProgram()
  }

  /// A storage with a queue of its own, which sees others as a process sees others.
  private struct Process {
    let storage = FileStorage.fileSystem(calls: .live)
    let shared: Shared<Int>

    init(_ url: URL, isMerging: Bool) {
      shared = withDependencies { [storage] in
        $0.defaultFileStorage = storage
      } operation: {
        guard isMerging else { return Shared(wrappedValue: 0, .fileStorage(url)) }
        return Shared(
          wrappedValue: 0,
          .fileStorage(url, merge: { @Sendable mine, theirs, base in mine + theirs - (base ?? 0) }))
      }
    }

    /// Runs a body while the storage neither writes nor reads, then waits for what it has to do.
    func whileBusy(_ body: () throws -> Void) async rethrows {
      let mayGoOn = DispatchSemaphore(value: 0)
      storage.place.queue?.async { mayGoOn.wait() }
      try body()
      mayGoOn.signal()
      await idle()
    }

    /// Waits until the storage has done what it had to do.
    func idle() async {
      await withCheckedContinuation { continuation in
        storage.place.queue?.async { continuation.resume() }
      }
    }
  }

  private func write(_ number: Int) throws {
    try program.write("\(number)", to: "number.json")
  }

  private var number: Int? { program.text(of: "number.json").flatMap { Int($0) } }

  // H23
  @Test func aValueIsNotWrittenOverThatOfAnotherProgram() async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    try await process.whileBusy {
      process.shared.withLock { $0 = 2 }
      try write(7)
    }
    #expect(number == 7)
    #expect(process.shared.wrappedValue == 7)
    #expect((process.shared.saveError as? FileStorageError)?.isConflict == true)
    #expect("\(process.shared.saveError!)".hasSuffix("Another program has changed it"))
    // The next `save()` throws the refusal, and the one after it does not.
    await #expect(throws: FileStorageError.self) { try await process.shared.save() }
    process.shared.withLock { $0 += 1 }
    try await process.shared.save()
    #expect(number == 8)
    #expect(process.shared.saveError == nil)
  }

  // H23
  @Test func twoValuesAreMerged() async throws {
    try write(1)
    let process = Process(url, isMerging: true)
    try await process.whileBusy {
      process.shared.withLock { $0 += 2 }
      try write(11)
    }
    #expect(number == 13)
    #expect(process.shared.wrappedValue == 13)
    #expect(process.shared.saveError == nil)
    // The merged value is what the next one is made from.
    process.shared.withLock { $0 += 1 }
    try await process.shared.save()
    #expect(number == 14)
  }

  // H23
  @Test func aValueThatIsSavedAsItIsIsNoConflict() async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    process.shared.withLock { $0 = 2 }
    try await process.shared.save()
    let saved = Mutex<Result<Void, any Error>?>(nil)
    let key = withDependencies {
      $0.defaultFileStorage = process.storage
    } operation: {
      FileStorageKey<Int>.fileStorage(url)
    }
    key.load(context: .userInitiated, continuation: LoadContinuation { _ in })
    try await process.whileBusy {
      key.save(
        2, context: .userInitiated,
        continuation: SaveContinuation { result in saved.withLock { $0 = result } })
      try write(7)
    }
    // The change was saved before, and the other program has seen it.
    #expect(throws: Never.self) { try saved.withLock { $0 }?.get() }
    #expect(number == 7)
    #expect(process.shared.wrappedValue == 7)
  }

  // H23
  @Test func aFileThatIsRemovedIsNoConflict() async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    try await process.whileBusy {
      process.shared.withLock { $0 = 2 }
      try FileManager.default.removeItem(at: url)
    }
    #expect(number == 2)
    #expect(process.shared.saveError == nil)
  }

  // H23
  @Test func aFileThatIsMadeMeanwhileIsAConflict() async throws {
    let process = Process(url, isMerging: false)
    try await process.whileBusy {
      process.shared.withLock { $0 = 2 }
      try write(7)
    }
    #expect(number == 7)
    #expect((process.shared.saveError as? FileStorageError)?.isConflict == true)
  }

  // H23, H29
  @Test func whateverTwoProgramsDoNoMergedChangeIsLost() async {
    await forEachSeed(20) { random in
      try? FileManager.default.removeItem(at: url)
      let processes = [Process(url, isMerging: true), Process(url, isMerging: true)]
      var total = 0
      for _ in 0..<30 {
        let process = processes[random.int(in: 0..<2)]
        let step = random.int(in: 1..<10)
        switch random.int(in: 0..<4) {
        case 0: await process.idle()
        case 1: try? await process.shared.save()
        default:
          total += step
          process.shared.withLock { $0 += step }
        }
      }
      for process in processes { await process.idle() }
      for process in processes {
        await #expect(throws: Never.self) { try await process.shared.load() }
      }
      #expect(number == total)
      #expect(processes.map(\.shared.wrappedValue) == [total, total])
    }
  }
}
