// Whether the code that is running belongs to a presented feature, and how that is dismissed.

import RondoAnimation
import RondoScheduling

/// The part of a reduction that is a presented child's.
@usableFromInline
enum PresentationScope {
  private static var isPresented: ThreadLocal<Bool> { ThreadLocal(\.isPresented) }

  /// Whether the code that is running is a presented child's: its reducer, or one of its effects.
  static var isEntered: Bool {
    guard !isPresented.current else { return true }
    var path = SourceFrame.current?.path
    while let place = path {
      if (place.element.base as? ChildID)?.isPresented == true { return true }
      path = place.parent
    }
    return false
  }

  @inlinable
  @inline(__always)
  static func enter<Result>(_ body: () -> Result) -> Result {
    let outer = begin()
    defer { end(outer) }
    return body()
  }

  @usableFromInline
  static func begin() -> Bool {
    exchange(&isPresented.current, with: true)
  }

  @usableFromInline
  static func end(_ outer: Bool) {
    isPresented.current = outer
  }
}

/// Dismisses the feature that it is used in.
///
/// ```swift
/// @Dependency(\.dismiss) var dismiss
///
/// case .cancelTapped:
///   return .run { _ in await dismiss() }
/// ```
///
/// The nearest feature that is presented, or on a stack, and that this one is a part of, goes away:
/// its parent gets ``PresentationAction/dismiss`` or ``StackAction/popFrom(id:)``. Use it in the
/// closure of an effect; elsewhere, and in a feature that nobody presents, it is reported.
public struct DismissEffect: Sendable {
  /// `nil` finds the feature that the effect belongs to.
  private let override: (nonisolated(nonsending) @Sendable (Transaction) async -> Void)?

  /// Dismisses the feature whose effect is running.
  init() {
    override = nil
  }

  /// Runs a closure in place of a dismissal, for tests.
  public init(_ dismiss: nonisolated(nonsending) @escaping @Sendable () async -> Void) {
    override = { _ in await dismiss() }
  }

  /// Dismisses the feature.
  nonisolated(nonsending) public func callAsFunction(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await callAsFunction(
      transaction: Transaction(),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Dismisses the feature, shown with an animation.
  nonisolated(nonsending) public func callAsFunction(
    animation: Animation?,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await callAsFunction(
      transaction: Transaction(animation: animation),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Dismisses the feature inside a transaction.
  nonisolated(nonsending) public func callAsFunction(
    transaction: Transaction,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    if let override { return await override(transaction) }
    guard let frame = SourceFrame.current else {
      reportIssue(
        """
        'dismiss' was used outside of an effect's closure, where there is no feature to dismiss. \
        Call it inside '.run'.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    frame.reportIfEnded(asksFor: "dismiss()")
    let (ambient, call) = (HeldTransaction(.current), HeldTransaction(transaction))
    let reporters = IssueReporters.current
    frame.mailbox.post(
      .ask(frame) { interpreter in
        guard frame.isAttached else { return }
        var isDismissed = false
        interpreter.whileAnswering(frame) {
          isDismissed = interpreter.dismiss(frame, ambient, call)
        }
        guard isDismissed else {
          withIssueReporters(reporters) {
            reportIssue(
              """
              'dismiss' was used in a feature that is not presented and not on a stack, and did \
              nothing. Compose the feature with 'ifLet(\\.$…)' or 'forEach' over a stack.
              """,
              fileID: fileID, filePath: filePath, line: line, column: column)
          }
          return
        }
      })
  }
}

extension Interpreter {
  /// Sends the action that asks for the nearest feature above a frame to be removed. Without one, the
  /// host is told, if it wants to know. Returns whether there was either.
  fileprivate func dismiss(_ frame: Frame, _ ambient: HeldTransaction, _ call: HeldTransaction)
    -> Bool
  {
    for frame in frame.lineage {
      if let child = frame as? ChildFrame, let dismiss = child.node.dismiss {
        deliver(Emission(value: dismiss(), transaction: ambient, call: call), above: child)
        return true
      }
    }
    guard let didDismissRoot else { return false }
    didDismissRoot()
    endAll()
    return true
  }
}

extension DependencyValues {
  /// Dismisses the feature that it is used in. See ``DismissEffect``.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  /// Whether the feature that asks is presented, or on a stack.
  public var isPresented: Bool {
    get { self[IsPresentedKey.self] ?? PresentationScope.isEntered }
    set { self[IsPresentedKey.self] = newValue }
  }
}

private enum DismissKey: DependencyKey {
  static let liveValue = DismissEffect()
  static let testValue = DismissEffect()
}

private enum IsPresentedKey: DependencyKey {
  static let liveValue: Bool? = nil
  static let testValue: Bool? = nil
}
