// A live program that tests run in a process of its own: what it writes, and what it leaves on disk,
// is what is tested.
//
//   live-program TASK ARGUMENTS…

import Dispatch
import Foundation
import Rondo
import RondoCompatibility
import RondoNetworking
import RondoRuntimeTestSupport
import Synchronization

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "dependencies": await useAllDependencies(in: arguments[1])
case "write-to-stack": writeToStack()
case "set-default": setDefault(arguments[1], to: Int(arguments[2]) ?? 0)
case "get-default": getDefault(arguments[1])
case "save-default": await saveDefault(arguments[1], to: Int(arguments[2]) ?? 0)
case "save-defaults": await saveDefaults(arguments[1], Int(arguments[2]) ?? 0)
case "count-default": await countDefault(arguments[1])
case "synchronize": synchronize(arguments[1], to: Int(arguments[2]) ?? 0)
case "save-in-suite": await saveInSuite(arguments[1], arguments[2], to: Int(arguments[3]) ?? 0)
case "add-to-file": await addToFile(arguments[1], Int(arguments[2]) ?? 0, isMerging: true)
case "insist-on-file": await addToFile(arguments[1], Int(arguments[2]) ?? 0, isMerging: false)
case "save": save(arguments[2], to: arguments[1])
case "save-and-die": saveAndDie(arguments[2], to: arguments[1], before: Int(arguments[3]) ?? 0)
case "ask": await ask(by: arguments[1], arguments[2], count: Int(arguments[3]) ?? 0)
case "save-later": await saveLater(arguments[2], to: arguments[1])
case "save-too-much": await saveTooMuch(to: arguments[1])
default: exit(64)
}

/// Writes an element under an id that none has.
func writeToStack() {
  var stack = StackState<Int>()
  stack[id: 42] = 1
  print(stack.count)
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

/// Saves a setting, waits for it, and prints the value and its errors.
func saveDefault(_ key: String, to value: Int) async {
  @Shared(.appStorage(key)) var number = -1
  let loadError = $number.loadError.map { "\(type(of: $0))" } ?? "loaded"
  $number.withLock { $0 = value }
  try? await $number.save()
  print(number, loadError, $number.saveError.map { "\($0)" } ?? "saved")
}

/// Saves many settings, one after the other.
func saveDefaults(_ prefix: String, _ count: Int) async {
  for index in 0..<count {
    @Shared(.appStorage("\(prefix)-\(index)")) var number = -1
    $number.withLock { $0 = index }
    try? await $number.save()
  }
}

/// Counts a setting up, and prints each number that is on the disk. It ends when it is killed.
func countDefault(_ key: String) async {
  @Shared(.appStorage(key)) var number = 0
  while true {
    $number.withLock { $0 += 1 }
    do { try await $number.save() } catch { exit(70) }
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
  }
}

/// Sets a setting by the means of Foundation.
func synchronize(_ key: String, to value: Int) {
  UserDefaults.standard.set(value, forKey: key)
  exit(UserDefaults.standard.synchronize() ? 0 : 71)
}

/// Saves a setting in a suite, then prints what Foundation finds there.
func saveInSuite(_ suite: String, _ key: String, to value: Int) async {
  guard let defaults = UserDefaults(suiteName: suite) else { exit(72) }
  @Shared(.appStorage(key, store: defaults)) var number = -1
  let first = number
  $number.withLock { $0 = value }
  try? await $number.save()
  print(first, defaults.integer(forKey: key))
}

/// Adds one to a number in a file, many times; again where another program was faster.
func addToFile(_ path: String, _ count: Int, isMerging: Bool) async {
  let merge: @Sendable (Int, Int, Int?) -> Int = { mine, theirs, base in
    mine + theirs - (base ?? 0)
  }
  @Shared(.fileStorage(URL(filePath: path), merge: isMerging ? merge : nil)) var number = 0
  for _ in 0..<count {
    while true {
      $number.withLock { $0 += 1 }
      do {
        try await $number.save()
        break
      } catch {
        guard (error as? FileStorageError)?.isConflict == true else { exit(70) }
      }
    }
  }
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

/// Limits the size of the files that are written from now on.
func limitFiles(to size: rlim_t) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: size, rlim_max: .max)
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
}

/// Tries to save a text while there is no room for it, and does not try again when there is room.
func saveLater(_ text: String, to path: String) async {
  limitFiles(to: 0)
  @Shared(.fileStorage(URL(filePath: path))) var value = ""
  $value.withLock { $0 = text }
  do {
    try await $value.save()
  } catch {
    print(error)
  }
  limitFiles(to: .max)
}

/// Saves more than a file may have, then as much as it may.
func saveTooMuch(to path: String) async {
  limitFiles(to: 1000)
  @Shared(.fileStorage(URL(filePath: path))) var value = ""
  $value.withLock { $0 = String(repeating: "x", count: 2000) }
  try? await $value.save()
  print(value.count, $value.saveError.map { "\($0)" } ?? "saved")
  $value.withLock { $0 = "short" }
  try? await $value.save()
  print(value, $value.saveError.map { "\($0)" } ?? "saved")
}

/// Asks a server for `/0`, `/1` and so on, by one of the ways that a session has, and says for each
/// what has come of it.
func ask(by way: String, _ server: String, count: Int) async {
  @Dependency(\.urlSession) var urlSession
  let delegate = AnswerDelegate()
  let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
  for number in 0..<count {
    guard let url = URL(string: "\(server)/\(number)") else { exit(64) }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = 5
    do {
      let response: URLResponse
      let size: Int
      switch way {
      case "delegate":
        (size, response) = try await delegate.answer(of: session.dataTask(with: request))
      case "download":
        let file: URL
        (file, response) = try await urlSession.download(for: request)
        size = try Data(contentsOf: file).count
        try FileManager.default.removeItem(at: file)
      default:
        let data: Data
        (data, response) = try await urlSession.data(for: request)
        size = data.count
      }
      print((response as? HTTPURLResponse)?.statusCode ?? 0, size)
    } catch {
      let text = (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? ""
      print((error as NSError).code, text.replacing("\n", with: " "))
    }
  }
}

/// The delegate of a session that makes one request after the other.
final class AnswerDelegate: NSObject, URLSessionDataDelegate, Sendable {
  typealias Answer = (Int, URLResponse)
  private let asked = Mutex<(size: Int, answer: CheckedContinuation<Answer, any Error>?)>((0, nil))

  func answer(of task: URLSessionDataTask) async throws -> Answer {
    try await withCheckedThrowingContinuation { answer in
      asked.withLock { $0 = (0, answer) }
      task.resume()
    }
  }

  func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
    asked.withLock { $0.size += data.count }
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (size, answer) = asked.withLock { asked in
      defer { asked.answer = nil }
      return asked
    }
    if let response = task.response, error == nil {
      answer?.resume(returning: (size, response))
    } else {
      answer?.resume(throwing: error ?? URLError(.badServerResponse))
    }
  }
}
