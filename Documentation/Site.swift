// The parts of `Documentation/build` that read and write files of JSON and Markdown.

import Foundation

@main
enum Site {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("libraries", 1):
        try PackageDescription.read(FileHandle.standardInput.readDataToEndOfFile())
          .libraries().forEach { print($0.target.name, $0.target.path, $0.position) }
      case ("graphs", 2...):
        try SymbolGraphs(root: arguments[1], modules: Array(arguments.dropFirst(2))).prepare()
      case ("articles", 3...):
        try Articles(
          source: URL(filePath: arguments[1]).standardizedFileURL,
          catalog: URL(filePath: arguments[2]),
          symbols: SymbolGraphs(root: ".", modules: Array(arguments.dropFirst(3))).topLevelTypes()
        ).write()
      case ("pages", 4):
        try FirstPages(
          root: URL(filePath: arguments[1]), site: URL(filePath: arguments[2]),
          base: arguments[3] == "/" ? "" : arguments[3]
        ).write()
      default:
        throw Problem(
          """
          usage: site libraries < DESCRIPTION | site graphs SOURCES FOLDER… \
          | site articles PAGES CATALOG [GRAPHS…] | site pages SOURCES SITE BASE
          """)
      }
    } catch {
      FileHandle.standardError.write(Data("Documentation/build: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// A failure, as the text to print.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

// MARK: The first pages

/// The pages that the converter does not make: the first one, and the search.
struct FirstPages {
  /// The folder of the package.
  let root: URL
  let site: URL
  /// The path that the site is served under, without a slash at its end.
  let base: String

  func write() throws {
    let parts = root.appending(path: "Documentation/Site")
    func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
    let landing = LandingPage(
      readme: try text(root.appending(path: "README.md")),
      frame: try text(parts.appending(path: "landing.html")), base: base)
    try Data(landing.html().utf8).write(to: site.appending(path: "index.html"))
    for picture in landing.pictures {
      let file = root.appending(path: picture)
      let copy = site.appending(path: file.lastPathComponent)
      // A page that is named like a picture would be lost.
      if !FileManager.default.fileExists(atPath: copy.path) {
        try FileManager.default.copyItem(at: file, to: copy)
      }
    }
    for name in ["search.html", "search.js", "site.css"] {
      let page = try text(parts.appending(path: name)).replacing("{{base}}", with: base)
      try Data(page.utf8).write(to: site.appending(path: name))
    }
    let count = try SearchIndex(site: site).write()
    print("The search finds \(count) pages.")
  }
}

// MARK: The package

/// The part of `swift package describe --type json` that says which libraries there are.
struct PackageDescription: Decodable {
  struct Product: Decodable {
    struct Kind: Decodable { let library: [String]? }
    let targets: [String]
    let type: Kind
  }

  struct Target: Decodable {
    let name: String
    let path: String
    let target_dependencies: [String]?
  }

  let products: [Product]
  let targets: [Target]

  static func read(_ data: Data) throws -> PackageDescription {
    try JSONDecoder().decode(PackageDescription.self, from: data)
  }

  /// The targets of the library products, each after all that it depends on, with their positions
  /// in the list of products. A product of an example is no library of the site.
  func libraries() -> [(target: Target, position: Int)] {
    let byName = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
    let wanted = products.filter { $0.type.library != nil }.flatMap(\.targets)
      .filter { byName[$0]?.path.hasPrefix("Examples/") == false }
    var visited: Set<String> = []
    var ordered: [(target: Target, position: Int)] = []
    func visit(_ name: String) {
      guard visited.insert(name).inserted, let target = byName[name] else { return }
      target.target_dependencies?.forEach(visit)
      if let position = wanted.firstIndex(of: name) { ordered.append((target, position)) }
    }
    wanted.forEach(visit)
    return ordered
  }
}

// MARK: Symbol graphs

/// The symbol graphs of modules, each in a folder of its own.
struct SymbolGraphs {
  /// The folder of the package, which places in the sources are shown relative to.
  let root: String
  /// The folders, each named after its module.
  let modules: [String]

  /// The arguments that the compiler fills in with the place of a call. A function that describes
  /// its other parameters need not describe these.
  static let places: Set = ["fileID", "filePath", "file", "line", "column"]

  /// Takes the parameters for places out of the signatures that comments are checked against, unless
  /// the comment describes them.
  ///
  /// - Throws: A `Problem` that lists the public symbols without a documentation comment. What
  ///   fulfils a requirement has the comment of the requirement, and needs none. Members that a
  ///   macro or the compiler has written, which no source has, need none.
  func prepare() throws {
    var total = 0
    var undocumented: [String] = []
    for file in try files() {
      var graph = try read(file)
      let symbols = graph["symbols"] as? [[String: Any]] ?? []
      let written = symbols.filter(isWritten)
      total += written.count
      undocumented += written.filter { !isDocumented($0) }.map(place)
      graph["symbols"] = symbols.map(withoutPlaces)
      graph["relationships"] = listed(
        graph["relationships"] as? [[String: Any]] ?? [], among: symbols)
      try JSONSerialization.data(withJSONObject: graph).write(to: file)
    }
    guard undocumented.isEmpty else {
      throw Problem(
        """
        \(undocumented.count) of \(total) public symbols have no documentation comment. Give each \
        one, or make it internal:
        \(undocumented.sorted().joined(separator: "\n"))
        """)
    }
    print("All \(total) public symbols have a documentation comment.")
  }

  /// The types at the top of exactly one module, and their modules.
  func topLevelTypes() throws -> [String: String] {
    let kinds: Set = ["swift.struct", "swift.class", "swift.enum", "swift.protocol"]
    var modules: [String: Set<String>] = [:]
    for file in try files() where !file.lastPathComponent.contains("@") {
      let module = file.deletingLastPathComponent().lastPathComponent
      for symbol in try read(file)["symbols"] as? [[String: Any]] ?? [] {
        guard let path = symbol["pathComponents"] as? [String], path.count == 1,
          let kind = (symbol["kind"] as? [String: Any])?["identifier"] as? String
        else { continue }
        // A name that a macro or an operator has as well cannot be linked to by itself.
        modules[path[0], default: []].insert(kinds.contains(kind) ? module : "\(module).\(kind)")
      }
    }
    return modules.compactMapValues { $0.count == 1 ? $0.first : nil }
      .filter { !$0.value.contains(".") }
  }

  private func files() throws -> [URL] {
    try modules.flatMap { module in
      try FileManager.default.contentsOfDirectory(
        at: URL(filePath: module), includingPropertiesForKeys: nil
      )
      .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
      .sorted { $0.path < $1.path }
    }
  }

  private func read(_ file: URL) throws -> [String: Any] {
    guard
      let graph = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    else { throw Problem("\(file.path) is no symbol graph") }
    return graph
  }

  private func isWritten(_ symbol: [String: Any]) -> Bool {
    let kind = (symbol["kind"] as? [String: Any])?["identifier"] as? String
    return kind != "swift.extension" && symbol["location"] != nil
  }

  private func isDocumented(_ symbol: [String: Any]) -> Bool {
    // A list of parameters says nothing of the symbol itself.
    let text = comment(of: symbol).trimmingCharacters(in: .whitespacesAndNewlines)
    return !text.isEmpty && !text.hasPrefix("- Parameter")
  }

  private func comment(of symbol: [String: Any]) -> String {
    let lines = (symbol["docComment"] as? [String: Any])?["lines"] as? [[String: Any]] ?? []
    return lines.compactMap { $0["text"] as? String }.joined(separator: "\n")
  }

  private func place(of symbol: [String: Any]) -> String {
    let path = (symbol["pathComponents"] as? [String] ?? []).joined(separator: ".")
    let location = symbol["location"] as? [String: Any]
    let file = (location?["uri"] as? String ?? "").replacing("file://", with: "")
    let line = (location?["position"] as? [String: Any])?["line"] as? Int ?? 0
    let relative = file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : file
    return "\(relative):\(line + 1): \(path)"
  }

  /// The relationships without those that hide a member: the converter lists no member that has the
  /// name of a requirement of another module.
  private func listed(
    _ relationships: [[String: Any]], among symbols: [[String: Any]]
  ) -> [[String: Any]] {
    let known = Set(
      symbols.compactMap { ($0["identifier"] as? [String: Any])?["precise"] as? String })
    return relationships.filter {
      $0["kind"] as? String != "defaultImplementationOf"
        || known.contains($0["target"] as? String ?? "")
    }
  }

  private func withoutPlaces(_ symbol: [String: Any]) -> [String: Any] {
    guard var signature = symbol["functionSignature"] as? [String: Any],
      let parameters = signature["parameters"] as? [[String: Any]]
    else { return symbol }
    let comment = comment(of: symbol)
    signature["parameters"] = parameters.filter {
      let name = $0["name"] as? String ?? ""
      return !Self.places.contains(name) || comment.contains("- \(name):")
    }
    var symbol = symbol
    symbol["functionSignature"] = signature
    return symbol
  }
}

// MARK: Articles

/// The pages of a folder as the articles of a documentation catalog.
///
/// Links between pages become links between articles. A link to a file of the repository, which the
/// site does not have, becomes the path of the file. The first time that a page names a type in
/// code, the name becomes a link to the type.
struct Articles {
  let source: URL
  let catalog: URL
  /// The types that names are linked to, and their modules.
  let symbols: [String: String]

  /// Writes the catalog.
  ///
  /// - Throws: A `Problem` that lists the links that lead nowhere.
  func write() throws {
    let files = try files(endingIn: ["md"])
    var pages: [String: Page] = [:]
    for file in files { pages[file] = Page(text: try text(of: file)) }
    try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: true)
    var broken: [String] = []
    for file in files {
      var mender = LinkMender(file: file, source: source, pages: pages, symbols: symbols)
      var text = mender.mend(pages[file]!)
      broken += mender.broken
      if Page.isIndex(file) { text += topics(of: file, in: pages) }
      let article = catalog.appending(path: Page.name(of: file) + ".md")
      guard !FileManager.default.fileExists(atPath: article.path) else {
        throw Problem("Two pages have the name \(Page.name(of: file)). Rename \(file).")
      }
      try Data(text.utf8).write(to: article)
    }
    for image in try self.files(endingIn: ["png", "svg", "jpg", "gif"]) {
      let copy = catalog.appending(path: (image as NSString).lastPathComponent)
      try FileManager.default.copyItem(at: source.appending(path: image), to: copy)
    }
    guard broken.isEmpty else {
      throw Problem("These links lead nowhere:\n" + broken.joined(separator: "\n"))
    }
  }

  /// The groups of the sidebar below the first page of a folder: the pages of the folder in the order
  /// in which it links to them, under the headings that it has, and then the others. The page itself
  /// shows its own lists instead.
  private func topics(of index: String, in pages: [String: Page]) -> String {
    var groups: [(title: String, pages: [String])] = [("Pages", [])]
    var left = Set(pages.keys.filter { Page.index(of: $0, in: pages) == index })
    let folder = (index as NSString).deletingLastPathComponent
    for line in pages[index]!.lines where !line.isCode {
      if line.text.hasPrefix("## ") { groups.append((String(line.text.dropFirst(3)), [])) }
      for target in LinkMender.targets(in: line.text) {
        let path = (folder as NSString).appendingPathComponent(String(target.prefix { $0 != "#" }))
        if left.remove(path) != nil { groups[groups.count - 1].pages.append(path) }
      }
    }
    groups.append(("More", left.sorted()))
    let lists = groups.filter { !$0.pages.isEmpty }.map { group in
      "### \(group.title)\n\n"
        + group.pages.map { "- <doc:\(Page.name(of: $0))>\n" }.joined()
    }
    return """


      ## Topics

      \(lists.joined(separator: "\n"))

      \(index == Page.root ? "@Metadata {\n  @TechnologyRoot\n}" : "")
      @Options(scope: local) {
        @TopicsVisualStyle(hidden)
      }

      """
  }

  private func files(endingIn extensions: Set<String>) throws -> [String] {
    guard let paths = FileManager.default.enumerator(atPath: source.path) else {
      throw Problem("There is no folder \(source.path)")
    }
    return paths.compactMap { $0 as? String }
      .filter { extensions.contains(($0 as NSString).pathExtension) }
      .sorted()
  }

  private func text(of file: String) throws -> String {
    try String(decoding: Data(contentsOf: source.appending(path: file)), as: UTF8.self)
  }
}

/// A page of Markdown.
struct Page {
  /// The page that stands for the whole folder.
  static let root = "README.md"

  struct Line {
    var text: String
    /// Whether the line is in a block of code.
    var isCode: Bool
  }

  let lines: [Line]
  /// The headings, by the fragment that a link to one has.
  let headings: [String: String]

  init(text: String) {
    var isCode = false
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      defer { if isFence { isCode.toggle() } }
      return Line(text: String(line), isCode: isCode || isFence)
    }
    headings = lines.filter { !$0.isCode && $0.text.hasPrefix("#") }.reduce(into: [:]) {
      let title = String($1.text.drop { $0 == "#" || $0 == " " }).replacing("`", with: "")
      $0[Self.fragment(of: title)] = title
    }
  }

  /// The fragment by which other pages link to a heading, as hosts of repositories make it.
  static func fragment(of heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }

  /// The name of the article of a page: its path without the extension, or that of its folder.
  static func name(of file: String) -> String {
    if file == root { return "Guide" }
    let path = file as NSString
    let name = isIndex(file) ? path.deletingLastPathComponent : path.deletingPathExtension
    return name.replacing("/", with: "-")
  }

  /// Whether a page is the first of its folder.
  static func isIndex(_ file: String) -> Bool { (file as NSString).lastPathComponent == root }

  /// The page that another one is listed below: the first of its folder, or of the nearest around it.
  static func index(of file: String, in pages: [String: Page]) -> String? {
    var folder = (file as NSString).deletingLastPathComponent as NSString
    while true {
      let index = folder.appendingPathComponent(root)
      if index != file, pages[index] != nil { return index }
      if folder.length == 0 { return nil }
      folder = folder.deletingLastPathComponent as NSString
    }
  }
}

/// Makes the links of one page lead somewhere in the site.
struct LinkMender {
  let file: String
  let source: URL
  let pages: [String: Page]
  let symbols: [String: String]
  /// The links that lead nowhere, with their places.
  private(set) var broken: [String] = []
  private var linked: Set<String> = []

  init(file: String, source: URL, pages: [String: Page], symbols: [String: String]) {
    self.file = file
    self.source = source
    self.pages = pages
    self.symbols = symbols
  }

  /// The targets of the links in a line that are not images.
  static func targets(in line: String) -> [String] {
    line.matches(of: #/(!?)\[[^\]]*\]\(([^)\s]+)\)/#).filter { $0.1.isEmpty }.map { String($0.2) }
  }

  mutating func mend(_ page: Page) -> String {
    var result: [String] = []
    var paragraph: [String] = []
    var isFirst = true
    for (index, line) in page.lines.enumerated() {
      // The address of a link whose text is elsewhere. Text in place of a link to a source would
      // have to be there, so such a link is written in one place.
      if !line.isCode, let match = line.text.firstMatch(of: #/^\[[^\]]+\]: (\S+)/#),
        !match.1.contains("://")
      {
        broken.append("\(place(index + 1)): \(match.1) (write it beside the text of the link)")
      }
      guard line.isCode || line.text.isEmpty || line.text.hasPrefix("#") else {
        paragraph.append(line.text)
        continue
      }
      if !paragraph.isEmpty {
        result.append(mend(paragraph, before: index, isFirst: isFirst))
        isFirst = false
        paragraph = []
      }
      result.append(line.isCode ? line.text : mend([line.text], before: index + 1))
    }
    if !paragraph.isEmpty {
      result.append(mend(paragraph, before: page.lines.count, isFirst: isFirst))
    }
    return result.joined(separator: "\n")
  }

  /// The lines of a paragraph, whose links may go over the end of a line.
  ///
  /// - Parameters:
  ///   - end: The index of the line behind the paragraph.
  ///   - isFirst: Whether it is the first of the page. The converter loses the addresses of the web in
  ///     it, so they are written out.
  private mutating func mend(_ lines: [String], before end: Int, isFirst: Bool = false) -> String {
    // A link or an image, or else a piece of code.
    let piece = #/(?<image>!?)\[(?<text>(?:`[^`]*`|[^\]`])*)\]\((?<target>[^)\s]+)\)|`[^`]+`/#
    let text = lines.joined(separator: "\n")
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: piece) {
      result += rest[..<match.range.lowerBound]
      rest = rest[match.range.upperBound...]
      guard let label = match.output.text, let target = match.output.target else {
        result += text.hasPrefix("#") ? String(match.output.0) : linkedCode(match.output.0)
        continue
      }
      if isFirst, target.contains("://") {
        result += "\(label) (\(target))"
      } else if let mended = link(label, to: String(target), isImage: match.output.image == "!") {
        result += mended
      } else {
        let linesBehind = rest.filter { $0 == "\n" }.count
        broken.append("\(place(end - linesBehind)): \(target)")
      }
    }
    return result + rest
  }

  private func place(_ line: Int) -> String { "\(source.lastPathComponent)/\(file):\(line)" }

  /// A piece of code; a link to the type that it names, at the first time.
  private mutating func linkedCode(_ code: Substring) -> String {
    let name = String(code.dropFirst().dropLast())
    guard let module = symbols[name], linked.insert(name).inserted else { return String(code) }
    return "``/\(module)/\(name)``"
  }

  /// A link as the site has it; `nil` where there is nothing at its target.
  private func link(_ text: Substring, to target: String, isImage: Bool) -> String? {
    if target.contains("://") { return "\(isImage ? "!" : "")[\(text)](\(target))" }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let page = source.appending(path: file)
    let linked =
      parts[0].isEmpty
      ? page
      : page.deletingLastPathComponent().appending(path: String(parts[0])).standardizedFileURL
    guard FileManager.default.fileExists(atPath: linked.path) else { return nil }
    if isImage { return "![\(text)](\(linked.lastPathComponent))" }
    guard let path = path(of: linked, in: source), let page = pages[path] else {
      // The site does not have the file: its path stands for it.
      let path = path(of: linked, in: source.deletingLastPathComponent()) ?? linked.path
      return text.contains(linked.lastPathComponent) ? String(text) : "\(text) (`\(path)`)"
    }
    guard parts.count == 2 else { return "[\(text)](doc:\(Page.name(of: path)))" }
    guard let heading = page.headings[String(parts[1])] else { return nil }
    return "[\(text)](doc:\(Page.name(of: path))#\(Self.anchor(of: heading)))"
  }

  private func path(of file: URL, in folder: URL) -> String? {
    let prefix = folder.standardizedFileURL.path + "/"
    return file.path.hasPrefix(prefix) ? String(file.path.dropFirst(prefix.count)) : nil
  }

  /// The fragment of a heading in the site.
  private static func anchor(of heading: String) -> String {
    heading.replacing(" ", with: "-")
      .addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? heading
  }
}
