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
    let storage: FileStorage
    let shared: Shared<Int>

    init(_ url: URL, isMerging: Bool, _ calls: FileCalls = .live) {
      storage = .fileSystem(calls: calls)
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

    /// Another value in the same storage.
    func value<Value>(_ key: @autoclosure () -> some SharedKey<Value>, _ value: Value) -> Shared<
      Value
    > {
      withDependencies {
        $0.defaultFileStorage = storage
      } operation: {
        Shared(wrappedValue: value, key())
      }
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

  // MARK: Loading while a value is changed

  /// A key of a file, with something to do between the reading of the file and the taking of what was
  /// read.
  private struct InterruptedKey: SharedKey {
    let base: FileStorageKey<Int>
    let interruption: LockIsolated<(@Sendable () -> Void)?>

    var id: ObjectIdentifier { ObjectIdentifier(interruption) }

    func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
      base.load(
        context: context,
        continuation: LoadContinuation { result in
          interruption.withLock { $0.take() }?()
          continuation.resume(with: result)
        })
    }

    func subscribe(
      context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
    ) -> SharedSubscription {
      base.subscribe(context: context, subscriber: subscriber)
    }

    func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
      base.save(value, context: context, continuation: continuation)
    }
  }

  // H23
  @Test(arguments: [false, true])
  func aValueThatIsWrittenWhileAnOlderOneIsLoadedStays(isWaiting: Bool) async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    let interruption = LockIsolated<(@Sendable () -> Void)?>(nil)
    let shared = process.value(
      InterruptedKey(base: .fileStorage(url), interruption: interruption), 0)
    await process.idle()
    let file = process.storage.file(at: url)
    let mayGoOn = DispatchSemaphore(value: 0)
    process.storage.place.queue?.async { mayGoOn.wait() }
    if isWaiting { shared.withLock { $0 = 2 } }
    interruption.setValue {
      shared.withLock { $0 = 3 }
      file.write()
    }
    try await shared.load()
    #expect(shared.wrappedValue == 3)
    shared.withLock { $0 += 1 }
    file.write()
    #expect(shared.saveError == nil)
    #expect(number == 4)
    mayGoOn.signal()
  }

  // H23
  @Test func aFileThatIsWrittenWhileItIsLoadedForTheFirstTimeIsLoadedAgain() async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    let file = process.storage.file(at: url)
    await process.idle()
    await process.whileBusy {
      let interruption = LockIsolated<(@Sendable () -> Void)?> {
        process.shared.withLock { $0 = 2 }
        file.write()
      }
      let text = process.value(
        FileStorageKey<String>.fileStorage(
          url,
          decode: {
            interruption.withLock { $0.take() }?()
            return String(decoding: $0, as: UTF8.self)
          },
          encode: { Data($0.utf8) }),
        "none")
      #expect(text.wrappedValue == "2")
    }
  }

  // MARK: Two values in one file

  // H23
  @Test(arguments: [false, true])
  func theFirstOfTwoValuesInAFileIsWrittenAndTheOtherIsRefused(isWrittenBefore: Bool) async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    let text = process.value(
      FileStorageKey<String>.fileStorage(
        url, decode: { String(decoding: $0, as: UTF8.self) }, encode: { Data($0.utf8) }),
      "none")
    await process.idle()
    await process.whileBusy {
      process.shared.withLock { $0 = 2 }
      if isWrittenBefore { process.storage.file(at: url).write() }
      text.withLock { $0 = "7" }
      process.shared.withLock { $0 += 1 }
    }
    #expect(number == 3)
    #expect(process.shared.wrappedValue == 3 && process.shared.saveError == nil)
    #expect(text.wrappedValue == "3")
    #expect((text.saveError as? FileStorageError)?.isConflict == true)
  }

  // MARK: Changes that could not be written

  /// A disk that is full until somebody makes room.
  private struct FullDisk {
    private let isFull = LockIsolated(true)
    var calls: FileCalls { .live.asking { $0 == .write && isFull.value ? ENOSPC : nil } }
    func makeRoom() { isFull.setValue(false) }
  }

  // H15
  @Test func aChangeThatCouldNotBeWrittenIsWrittenAtTheEnd() async throws {
    try write(1)
    let disk = FullDisk()
    let process = Process(url, isMerging: false, disk.calls)
    process.shared.withLock { $0 = 2 }
    await #expect(throws: FileStorageError.self) { try await process.shared.save() }
    StoredFiles.writeAll(of: process.storage.place)
    #expect("\(process.shared.saveError!)".hasSuffix("No space left on device"))
    try await process.shared.load()
    #expect(process.shared.wrappedValue == 2 && number == 1)
    disk.makeRoom()
    StoredFiles.writeAll(of: process.storage.place)
    #expect(number == 2)
    #expect(process.shared.saveError == nil)
  }

  // H15
  @Test func aChangeThatCouldNotBeWrittenOutlivesItsHolders() async throws {
    try write(1)
    let disk = FullDisk()
    var process: Process? = Process(url, isMerging: false, disk.calls)
    let storage = process!.storage
    process!.shared.withLock { $0 = 2 }
    await #expect(throws: FileStorageError.self) { try await process!.shared.save() }
    process = nil
    disk.makeRoom()
    StoredFiles.writeAll(of: storage.place)
    #expect(number == 2)
  }

  /// A key that hands the answer of another one on.
  private struct ForwardingKey: SharedKey {
    let base: FileStorageKey<Double>

    var id: some Hashable & Sendable { base.id }

    func load(context: LoadContext<Double>, continuation: LoadContinuation<Double>) {
      base.load(context: context, continuation: continuation)
    }

    func subscribe(
      context: LoadContext<Double>, subscriber: SharedSubscriber<Double>
    ) -> SharedSubscription {
      base.subscribe(context: context, subscriber: subscriber)
    }

    func save(_ value: Double, context: SaveContext, continuation: SaveContinuation) {
      base.save(
        value, context: context,
        continuation: SaveContinuation { continuation.resume(with: $0) })
    }
  }

  // H15
  @Test func aKeyThatForwardsIsAnsweredOnce() async throws {
    let disk = FullDisk()
    let process = Process(url, isMerging: false, disk.calls)
    let shared = process.value(ForwardingKey(base: .fileStorage(url)), 0)
    shared.withLock { $0 = 2 }
    await #expect(throws: FileStorageError.self) { try await shared.save() }
    disk.makeRoom()
    StoredFiles.writeAll(of: process.storage.place)
    #expect(number == 2)
  }

  // H15
  @Test func aValueThatCannotBeEncodedDoesNotHideTheFile() async throws {
    try write(1)
    let process = Process(url, isMerging: false)
    let shared = process.value(FileStorageKey<Double>.fileStorage(url), 0)
    shared.withLock { $0 = .nan }
    await #expect(throws: EncodingError.self) { try await shared.save() }
    try await shared.load()
    #expect(shared.wrappedValue == 1)
    #expect(process.value(FileStorageKey<Float>.fileStorage(url), 0).loadError == nil)
  }

  #if os(Linux)
    // H15, H23
    @Test(arguments: [false, true])
    func aChangeThatCouldNotBeWrittenIsNotReplacedInSilence(isMerging: Bool) async throws {
      try write(1)
      let disk = FullDisk()
      let process = Process(url, isMerging: isMerging, disk.calls)
      await process.idle()
      process.shared.withLock { $0 = 2 }
      await process.idle()
      #expect(process.shared.saveError != nil)
      try write(7)
      let loss = FolderWatches.Event(folder: -1, kinds: UInt32(IN_Q_OVERFLOW), name: "")
      FolderWatches.ofProcess.handle([loss])
      await process.idle()
      #expect(process.shared.wrappedValue == 2)
      disk.makeRoom()
      StoredFiles.writeAll(of: process.storage.place)
      #expect(number == (isMerging ? 8 : 7))
      #expect(process.shared.wrappedValue == (isMerging ? 8 : 7))
      let error = process.shared.saveError as? FileStorageError
      #expect(error?.isConflict == (isMerging ? nil : true))
    }
  #endif

  // H23, H29
  @Test func whateverTwoProgramsDoNoMergedChangeIsLost() async {
    await forEachSeed(Soak.isOn ? 20 : 8) { random in
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
