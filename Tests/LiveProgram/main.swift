// A live program that tests run in a process of its own: what it writes, and what it leaves on disk,
// is what is tested.
//
//   live-program TASK ARGUMENTS…

import Dispatch
import Foundation
import Rondo
import RondoNetworking

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "dependencies": await useAllDependencies(in: arguments[1])
case "set-default": setDefault(arguments[1], to: Int(arguments[2]) ?? 0)
case "get-default": getDefault(arguments[1])
case "save": save(arguments[2], to: arguments[1])
case "save-and-die": saveAndDie(arguments[2], to: arguments[1], before: Int(arguments[3]) ?? 0)
case "save-too-much": await saveTooMuch(to: arguments[1])
default: exit(64)
}

/// Uses every dependency that Rondo brings, and every way to keep a shared value.
@MainActor func useAllDependencies(in folder: String) async {
  @Dependency(\.calendar) var calendar
  @Dependency(\.context) var context
  @Dependency(\.continuousClock) var continuousClock
  @Dependency(\.date) var date
  @Dependency(\.date.now) var now
  @Dependency(\.defaultAppStorage) var defaultAppStorage
  @Dependency(\.defaultFileStorage) var defaultFileStorage
  @Dependency(\.defaultInMemoryStorage) var defaultInMemoryStorage
  @Dependency(\.fireAndForget) var fireAndForget
  @Dependency(\.locale) var locale
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.mainRunLoop) var mainRunLoop
  @Dependency(\.openURL) var openURL
  @Dependency(\.suspendingClock) var suspendingClock
  @Dependency(\.timeZone) var timeZone
  @Dependency(\.urlSession) var urlSession
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  _ = (calendar, context, date(), now, locale, mainQueue.now, mainRunLoop.now, timeZone, uuid())
  _ = (defaultAppStorage, defaultFileStorage, defaultInMemoryStorage, urlSession, openURL)
  try? await continuousClock.sleep(for: .zero)
  try? await suspendingClock.sleep(for: .zero)
  await fireAndForget {}
  _ = withRandomNumberGenerator { Int.random(in: 0...1, using: &$0) }

  @Shared(.appStorage("count")) var defaultsCount = 0
  @Shared(.fileStorage(URL(filePath: folder + "/count.json"))) var fileCount = 0
  @Shared(.inMemory("count")) var memoryCount = 0
  @SharedReader(.inMemory("count")) var reader = 0
  $defaultsCount.withLock { $0 += 1 }
  $fileCount.withLock { $0 += 1 }
  $memoryCount.withLock { $0 += 1 }
  try? await $fileCount.save()

  struct Feature: Reducer {
    struct State {
      @Shared(.inMemory("count")) var count = 0
      var path = StackState<Int>()
    }
    func reduce(into state: inout State, action: Void) -> Effect<Void> {
      state.$count.withLock { $0 += 1 }
      state.path.append(1)
      return .none
    }
  }
  let store = Store(initialState: Feature.State()) { Feature() }
  store.send(())
  print(context, memoryCount, reader, fileCount, defaultsCount)
}

func setDefault(_ key: String, to value: Int) {
  @Shared(.appStorage(key)) var number = 0
  $number.withLock { $0 = value }
}

func getDefault(_ key: String) {
  @Shared(.appStorage(key)) var number = -1
  print(number)
}

/// Saves a text, and does not wait for it to be written.
func save(_ text: String, to path: String) {
  @Shared(.fileStorage(URL(filePath: path))) var value = ""
  $value.withLock { $0 = text }
}

/// Saves a text, and kills itself before one of the system calls that this takes.
func saveAndDie(_ text: String, to path: String, before number: Int) {
  nonisolated(unsafe) var count = 0
  // The calls come one after the other: the file is written here, not on a queue.
  let calls = FileCalls.live.asking { _ in
    if count == number { kill(getpid(), SIGKILL) }
    count += 1
    return nil
  }
  try? FileStorage.fileSystem(calls: calls).save(Data(text.utf8), to: URL(filePath: path))
  print(count)
}

/// Saves more than a file may have, then as much as it may.
func saveTooMuch(to path: String) async {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
  @Shared(.fileStorage(URL(filePath: path))) var value = ""
  $value.withLock { $0 = String(repeating: "x", count: 2000) }
  try? await $value.save()
  print(value.count, $value.saveError.map { "\($0)" } ?? "saved")
  $value.withLock { $0 = "short" }
  try? await $value.save()
  print(value, $value.saveError.map { "\($0)" } ?? "saved")
}
