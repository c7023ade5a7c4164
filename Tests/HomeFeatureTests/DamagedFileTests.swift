import Foundation
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature

/// Valid files, damaged at random. A failure's argument is the seed that repeats it.
@Suite struct DamagedFileTests {
  @Test(arguments: Randomness.seeds(Soak.isOn ? 40 : 20))
  func noDamageCrashesOrLosesTheFile(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let directory = TemporaryFolder()
    let file = SavedGamesFile(directory: directory.path)
    let bytes = try damaged(SavedGamesFile.encode(.random(using: &generator)), &generator)
    try directory.write(bytes, to: SavedGamesFile.name)

    let isDamaged: Bool
    do {
      _ = try file.load()
      isDamaged = false
    } catch {
      isDamaged = true
      guard case .damaged(let problem) = error.reason else {
        Issue.record("\(error) does not say that the file is damaged.")
        return
      }
      #expect(problem.place.hasPrefix("$") || problem.place.hasPrefix("line "))
      #expect(!problem.message.isEmpty)
      #expect(!error.description.contains("\n"))
    }
    #expect(try directory.bytes(of: SavedGamesFile.name) == bytes)

    try file.save(SavedGames(), at: .piDay)
    let kept = try directory.names.contains { try directory.bytes(of: $0) == bytes }
    #expect(kept == isDamaged || bytes == Array("{}\n".utf8))
    #expect(try file.load() == SavedGames())
  }

  @Test(arguments: Randomness.seeds(10))
  func everyTruncationIsFound(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let whole = try SavedGamesFile.encode(.random(using: &generator))
    for _ in 0..<20 {
      // The newline at the end is no part of the document.
      let length = Int.random(in: 0..<whole.count - 1, using: &generator)
      #expect(throws: JSONProblem.self) {
        try decodeJSON(SavedGames.self, from: whole[..<length], dates: .deferredToDate)
      }
    }
  }

  /// Truncates, overwrites, removes, inserts or swaps some bytes.
  private func damaged(_ bytes: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      let index = bytes.indices.randomElement(using: &generator)!
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes[index] = .random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: index)
      case 3: bytes.insert(Array("{}[]\",:0-e\\".utf8).randomElement(using: &generator)!, at: index)
      default: bytes.swapAt(index, bytes.indices.randomElement(using: &generator)!)
      }
    }
    return bytes
  }
}
