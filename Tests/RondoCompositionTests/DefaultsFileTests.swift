// H22: the file of user defaults while others read and write it.

import Foundation
import RondoRuntimeTestSupport
import Synchronization
import Testing

@testable import Rondo

struct DefaultsFileTests {
  private let program: LiveProgram
  private let defaults: HookedDefaults
  private var number: Int? { defaults.object(forKey: "number") as? Int }

  init() {
    program = LiveProgram()
    defaults = HookedDefaults(suiteName: UUID().uuidString)!
  }

  /// The file, after another process has written a number to it and the user defaults have read it.
  private func file(_ calls: FileCalls = .live) throws -> DefaultsFile {
    try write(1)
    defaults.set(1, forKey: "number")
    return DefaultsFile(path: program.path("defaults.plist"), calls: calls)
  }

  /// Writes a number as another process does.
  private func write(_ number: Int) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["number": number], format: .xml, options: 0)
    try data.write(to: URL(filePath: program.path("defaults.plist")), options: .atomic)
  }

  private func save(_ number: Int, to file: DefaultsFile) {
    file.save(AppStorageObject(value: number), forKey: "number", nil) {
      defaults.set(number, forKey: "number")
    }
  }

  @Test func anObjectThatIsWrittenWhileTheFileIsReadStays() throws {
    let didClose = LockIsolated<(@Sendable () -> Void)?>(nil)
    var calls = FileCalls.live
    calls.close = { file in
      defer { didClose.withLock { $0.take() }?() }
      return close(file)
    }
    let file = try file(calls)
    try file.refresh("number", in: defaults)
    let saving = Unchecked { [self] in
      save(2, to: file)
      file.write()
    }
    didClose.setValue { saving.value() }
    try file.refresh("number", in: defaults)
    #expect(number == 2)
    try file.refresh("number", in: defaults)
    #expect(number == 2)
  }

  @Test func anObjectThatIsSavedWhileTheOneOfAnotherProcessIsSetStays() throws {
    let file = try file()
    try file.refresh("number", in: defaults)
    try write(2)
    let saving = Unchecked { [self] in save(3, to: file) }
    defaults.willSet.withLock { $0 = { saving.value() } }
    try file.refresh("number", in: defaults)
    #expect(number == 3)
    file.write()
  }

  @Test func theFirstLookAtAKeyFindsWhatAnotherProcessHasWritten() throws {
    let file = try file()
    try write(2)
    try file.refresh("number", in: defaults)
    #expect(number == 2)
    // What the program gives to the user defaults itself stays as long as the file does.
    defaults.set(7, forKey: "number")
    try file.refresh("number", in: defaults)
    #expect(number == 7)
  }

  @Test func whatCouldNotBeWrittenIsWrittenWithAnotherKey() throws {
    let isFull = LockIsolated(true)
    let file = try file(.live.asking { $0 == .write && isFull.value ? ENOSPC : nil })
    let answers = LockIsolated<[Bool]>([])
    let hasHeard = DispatchSemaphore(value: 0)
    let hear: @Sendable (Result<Void, any Error>) -> Void = { result in
      answers.withLock { $0.append((try? result.get()) != nil) }
      hasHeard.signal()
    }
    let continuation = SaveContinuation("", later: hear, callback: hear) {}
    file.save(AppStorageObject(value: 2), forKey: "number", continuation)
    hasHeard.wait()
    #expect(answers.value == [false])
    isFull.setValue(false)
    file.save(AppStorageObject(value: true), forKey: "other", nil)
    hasHeard.wait()
    #expect(answers.value == [false, true])
    let data = try Data(contentsOf: URL(filePath: program.path("defaults.plist")))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect((list as? [String: Any])?["number"] as? Int == 2)
  }
}
