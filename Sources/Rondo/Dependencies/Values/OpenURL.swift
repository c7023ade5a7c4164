// Handing addresses over to whatever shows them.

import Foundation

/// Opens a URL with whatever program of the user's is for it.
///
/// ```swift
/// @Dependency(\.openURL) var openURL
///
/// case .helpTapped:
///   return .run { _ in await openURL(URL(string: "https://example.com/help")!) }
/// ```
///
/// How that is done is the program's to say: without an override nothing is opened, and a test that
/// gets there without one is told.
public struct OpenURLEffect: Sendable {
  private let handler: @Sendable (URL) async -> Bool

  /// Opens URLs by a closure, which answers whether it could.
  public init(handler: @escaping @Sendable (_ url: URL) async -> Bool) {
    self.handler = handler
  }

  /// Opens a URL, and tells whether that was possible.
  @discardableResult
  public func callAsFunction(_ url: URL) async -> Bool {
    await handler(url)
  }
}

extension DependencyValues {
  /// Opens a URL with whatever program of the user's is for it.
  public var openURL: OpenURLEffect {
    get { self[OpenURLKey.self] }
    set { self[OpenURLKey.self] = newValue }
  }
}

private enum OpenURLKey: DependencyKey {
  static let liveValue = OpenURLEffect { _ in false }
  static var testValue: OpenURLEffect {
    let unimplemented = DependencyAccess.unimplemented("openURL", placeholder: false)
    return OpenURLEffect { _ in unimplemented() }
  }
}
