// Names of case paths, for messages. A key path of computed properties does not contain the names.

import RondoAnimation

/// Collects the names of the case paths that are made while a key path is followed. Each case path
/// knows the name of the property that it is made in.
@usableFromInline
package final class CasePathNames {
  private static var running: ThreadLocalObject<CasePathNames> { ThreadLocalObject(\.caseNames) }

  private var text = ""

  private init() {}

  /// Adds the name of the declaration that makes a case path. The name of a function is left out,
  /// because a key path cannot name it.
  @usableFromInline
  static func note(_ name: StaticString) {
    note { "\(name)".contains("(") ? "" : ".\(name)" }
  }

  package static func note(_ text: () -> String) {
    running.current?.text += text()
  }

  package static func heard(_ body: () -> Void) -> String {
    let names = CasePathNames()
    running.with(names, body)
    return names.text
  }
}

extension CasePathable {
  /// A case as it is written: `\.path[id: #0].closed`; `nil` where it has no name.
  package static func name(of keyPath: PartialCaseName<Self>) -> String? {
    let name = CasePathNames.heard { _ = allCasePaths[keyPath: keyPath] }
    return name.isEmpty ? nil : "\\\(name)"
  }

  /// Whether a key path leads to a case, and not to another property of the case paths.
  package static func isCase(_ keyPath: PartialCaseName<Self>) -> Bool {
    allCasePaths[keyPath: keyPath] is any ErasedCasePath
  }

  /// The value of a case that carries nothing; `nil` for another case.
  package static func value(of keyPath: PartialCaseName<Self>) -> Self? {
    (allCasePaths[keyPath: keyPath] as? AnyCasePath<Self, Void>)?.embed(())
  }
}
