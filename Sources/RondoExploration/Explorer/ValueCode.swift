// The code that makes a value, for a test that is pasted.

import Foundation
import Rondo
import RondoScheduling
import RondoTestStore

/// Writes values as code that compiles.
///
/// Where it is not known what makes a value it writes nothing: of objects, of closures, and of structures that the
/// package does not declare, or whose initializers do not take all members.
final class ValueCode {
  private let sources: PackageSources
  /// The first value that no code was found for; `nil` if there is none.
  private(set) var unknown: String?

  /// - Parameter sources: The files of the package that the code is for.
  init(_ sources: PackageSources) {
    self.sources = sources
  }

  /// The code of a value; where none is found, a text that says what it is.
  func text(_ value: Any) -> String { code(value) ?? summary(of: value) }

  // MARK: Types

  /// The name of a type as it is written in a test; `nil` for one that is declared inside of a function.
  static func name(of type: Any.Type) -> String? {
    // "Module.(unknown context at $7f54).Row" is private; what is inside of a function has two of these, side by side.
    let isLocal = String(reflecting: type).contains(").(unknown context at $")
    return isLocal ? nil : TypeTraits.of(type: type).qualifiedName
  }

  // MARK: Values

  private func code(_ value: Any) -> String? {
    let code = leafCode(value) ?? codeOfParts(value)
    // Its parts come before a value.
    if code == nil { unknown = unknown ?? summary(of: value) }
    return code
  }

  private func codeOfParts(_ value: Any) -> String? {
    let kind = type(of: value)
    // Another mirror may show anything.
    guard !(kind is any CustomReflectable.Type) || kind is any PrintedByValue.Type else {
      return nil
    }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { (label: $0.label, value: $0.value) }
    switch mirror.displayStyle {
    case .optional:
      guard let inner = parts.first?.value else { return "nil" }
      return code(inner).map { $0 == "nil" || $0.hasPrefix(".some(") ? ".some(\($0))" : $0 }
    case .enum: return caseCode(value, parts.first?.value)
    case .tuple: return arguments(parts).map { "(\($0))" }
    case .struct:
      let labels = parts.map { $0.label ?? "" }
      guard let name = Self.name(of: kind)?.prefix(while: { $0 != "<" }),
        sources.canMake(String(name), of: labels)
      else { return nil }
      return arguments(parts).map { "\(name)(\($0))" }
    case .collection,
      .set where kind is any PrintedContainer.Type:
      let elements = all(parts.map { code($0.value) })
      return mirror.displayStyle == .set
        ? elements.map { "Set([\($0.sorted().joined(separator: ", "))])" }
        : elements.map { "[\($0.joined(separator: ", "))]" }
    case .dictionary:
      let entries = all(parts.map { entryCode(Mirror(reflecting: $0.value).children.map(\.value)) })
      return entries.map { $0.isEmpty ? "[:]" : "[\($0.sorted().joined(separator: ", "))]" }
    default: return nil
    }
  }

  private func entryCode(_ entry: [Any]) -> String? {
    guard entry.count == 2, let key = code(entry[0]), let value = code(entry[1]) else { return nil }
    return "\(key): \(value)"
  }

  private func arguments(_ parts: [(label: String?, value: Any)]) -> String? {
    let codes = parts.map { part in
      // The elements of a tuple without labels are called ".0", ".1".
      let label = part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return code(part.value).map { label + $0 }
    }
    return all(codes)?.joined(separator: ", ")
  }

  private func all(_ codes: [String?]) -> [String]? {
    codes.contains(nil) ? nil : codes.compactMap(\.self)
  }

  private func caseCode(_ value: Any, _ payload: Any?) -> String? {
    guard let name = caseName(of: value) else { return nil }
    var prefix = ""
    // The type is written before a case of an error, because the place may take errors of all types, and before a name
    // that an optional has, too.
    if value is any Error || ["none", "some"].contains(name) {
      guard let type = Self.name(of: type(of: value)) else { return nil }
      prefix = type
    }
    let isPlain =
      !["init", "self", "Type", "Protocol"].contains(name) && !name.contains { !isInName($0) }
    let member = "\(prefix).\(isPlain ? name : "`\(name)`")"
    guard let payload else { return member }
    guard let code = code(payload) else { return nil }
    let isTuple = Mirror(reflecting: payload).displayStyle == .tuple
    return isTuple && code != "()" && !sources.contain("case \(name)((")
      ? member + code : "\(member)(\(code))"
  }

  private func isInName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private func caseName<Value>(of value: Value) -> String? {
    guard let number = caseNumber(of: Value.self)?(value), let names = caseNames(of: Value.self)
    else { return nil }
    return names.indices.contains(number) ? names[number] : nil
  }

  /// The code of a value that is not taken apart; `nil` for another one.
  private func leafCode(_ value: Any) -> String? {
    switch value {
    case let value as Bool: "\(value)"
    case let value as String: value.debugDescription
    case let value as Substring: value.debugDescription
    case let value as Character: String(value).debugDescription
    case let value as any FixedWidthInteger: "\(value)"
    case let value as Double: Self.code(of: value)
    case let value as Float: Self.code(of: value)
    case let value as Duration: value.code
    case let value as Date:
      "Date(timeIntervalSinceReferenceDate: \(value.timeIntervalSinceReferenceDate))"
    case let value as UUID: "UUID(uuidString: \"\(value.uuidString)\")!"
    case let value as URL: "URL(string: \(value.absoluteString.debugDescription))!"
    case let value as Decimal: value.isNaN ? nil : "Decimal(string: \"\(value)\")!"
    case let value as Data: "Data(\(Array(value)))"
    case let value as URLError: "URLError(URLError.Code(rawValue: \(value.errorCode)))"
    case is ExplorerFault, is CancellationError: "\(type(of: value))()"
    default: nil
    }
  }

  private static func code(of number: some BinaryFloatingPoint) -> String? {
    guard !number.isNaN else { return nil }
    return number.isFinite ? "\(number)" : number < 0 ? "-.infinity" : ".infinity"
  }
}

/// The Swift files of a package. They are read once for each question.
final class PackageSources {
  private let root: URL
  /// The files that have a text.
  private var found: [String: [String]] = [:]
  /// The answers about structures, by their names and those of the members.
  private var makeable: [[String]: Bool] = [:]

  /// - Parameter position: A place in one of them.
  init(of position: SourcePosition) {
    let folder = URL(filePath: "\(position.filePath)").deletingLastPathComponent()
    let above = sequence(first: folder) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
    root =
      above.first {
        FileManager.default.fileExists(atPath: $0.appending(path: "Package.swift").path)
      } ?? folder
  }

  /// Whether any file has a text.
  func contain(_ text: String) -> Bool { !files(with: text).isEmpty }

  /// Whether a structure of this name has members of these names, and each that has can be made of them.
  func canMake(_ type: String, of members: [String]) -> Bool {
    if let known = makeable[[type] + members] { return known }
    let header = "struct \(type.split(separator: ".").last ?? "")"
    let found = files(with: header).flatMap { SourceText.declarations(header, in: $0) }
      .filter { Set(Self.members($0).names).isSuperset(of: members) }
    let can =
      !found.isEmpty
      && found.allSatisfy { body in
        let initializers = SourceText.initializers(in: body)
        return initializers.isEmpty
          ? !Self.members(body).areHidden : initializers.contains { $0 == members }
      }
    makeable[[type] + members] = can
    return can
  }

  private func files(with text: String) -> [String] {
    if let known = found[text] { return known }
    let paths = FileManager.default.enumerator(
      at: root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    var files: [String] = []
    while let file = paths?.nextObject() as? URL {
      guard file.pathExtension == "swift", let data = try? Data(contentsOf: file),
        data.range(of: Data(text.utf8)) != nil
      else { continue }
      files.append(String(decoding: data, as: UTF8.self))
    }
    found[text] = files
    return files
  }

  /// The names of the members of a structure, and whether the initializer may be missing that takes all of them.
  private static func members(_ body: String) -> (names: [String], areHidden: Bool) {
    var (names, areHidden, depth): ([String], Bool, Int) = ([], false, 0)
    for line in body.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
      let start = depth
      let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
      depth += code.count { $0 == "{" } - code.count { $0 == "}" }
      let words = code.prefix { $0 != "{" }
        .split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" || $0 == "=") }
      guard start == 0, !words.contains("static"),
        let keyword = words.firstIndex(where: { $0 == "var" || $0 == "let" }),
        keyword + 1 < words.count
      else { continue }
      names.append(String(words[keyword + 1]))
      areHidden =
        areHidden || words[keyword] == "let" && words.contains("=")
        || words.contains { $0 == "private" || $0 == "fileprivate" || $0.hasPrefix("@") }
    }
    return (names, areHidden)
  }
}
