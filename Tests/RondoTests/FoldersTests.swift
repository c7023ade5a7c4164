// The folders of `Rondo` form layers.

import Foundation
import Testing

@Suite struct FoldersTests {
  // Y10
  @Test func foldersUseOneAnotherInOneDirection() throws {
    let files = try SourceFile.all()
    var homes: [String: Set<String>] = [:]
    for file in files {
      for type in file.types { homes[type, default: []].insert(file.folder) }
    }
    var uses: [String: [String: String]] = [:]
    for file in files {
      for word in file.words {
        guard let home = homes[word], home.count == 1, !home.contains(file.folder) else { continue }
        uses[file.folder, default: [:]][home.first!] = "\(word) in \(file.name)"
      }
    }
    // A folder that uses no other one is at the bottom. When it is taken away, others are. What is left
    // in the end goes round in a circle.
    var left = Set(files.map(\.folder))
    while let bottom = left.first(where: { left.isDisjoint(with: (uses[$0] ?? [:]).keys) }) {
      left.remove(bottom)
    }
    let circle = left.sorted().flatMap { folder in
      (uses[folder] ?? [:]).filter { left.contains($0.key) }.map {
        "\(folder) → \($0.key): \($0.value)"
      }
    }
    #expect(circle == [], "Put a type that knows both folders into the upper one.")
    #expect(uses["Store"]?["Machine"] != nil, "The sources were not read.")
  }
}

/// A file of the sources, without comments and texts.
private struct SourceFile {
  let name: String
  let folder: String
  /// The types that the file declares for others.
  private(set) var types: Set<String> = []
  /// The capitalized words of the file.
  private(set) var words: Set<String> = []

  static func all() throws -> [SourceFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Rondo")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try paths.filter { $0.hasSuffix(".swift") && $0.contains("/") }.map { path in
      try SourceFile(path, String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }

  private init(_ path: String, _ text: String) {
    name = String(path.split(separator: "/").last!)
    folder = String(path.split(separator: "/").first!)
    var isText = false
    for line in text.split(separator: "\n") {
      let marks = line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1
      if marks % 2 == 1 { isText.toggle() }
      if isText || marks > 0 { continue }
      read(line)
    }
  }

  private mutating func read(_ line: Substring) {
    var tokens: [String] = []
    var token = ""
    var isText = false
    var last: Character = " "
    for character in line {
      if character == "\"", last != "\\" { isText.toggle() }
      if !isText, character == "/", last == "/" { break }
      if !isText, character.isLetter || character.isNumber || character == "_" {
        token.append(character)
      } else if !token.isEmpty {
        tokens.append(token)
        token = ""
      }
      last = character
    }
    if !token.isEmpty { tokens.append(token) }
    words.formUnion(tokens.filter { $0.first!.isUppercase })
    guard line.first?.isWhitespace == false,
      Set(tokens).isDisjoint(with: ["private", "fileprivate"])
    else { return }
    let kinds: Set = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    if let index = tokens.firstIndex(where: kinds.contains), index + 1 < tokens.count {
      types.insert(tokens[index + 1])
    }
  }
}
