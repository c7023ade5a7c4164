// Tags that tests tell apart, and logs of the actions that carry them.

import Rondo

package struct TagKey: TransactionKey {
  package static var defaultValue: String { "-" }
}

extension Transaction {
  /// A slot beside that of the animation.
  package var tag: String {
    get { self[TagKey.self] }
    set { self[TagKey.self] = newValue }
  }

  package init(tag: String) {
    self.init()
    self.tag = tag
  }
}

/// A store's actions in order, each with how its change was to be shown: `loaded .default`.
@MainActor
package final class TagLog {
  package private(set) var entries: [String] = []
  private var subscription: AnyCancellable?

  /// - Parameter label: What to write of a transaction; by default its description.
  package init<State>(
    _ store: Store<State, String>,
    label: @escaping (Transaction) -> String = { "\($0)" }
  ) {
    subscription = store.subscribe { [unowned self] commit in
      entries += commit.actions.map { "\($0) \(label(commit.transaction))" }
    }
  }
}
