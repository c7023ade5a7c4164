// Figures of durable stores, in the text form that Prometheus reads.

import Foundation

/// Figures of durable stores. Their text is what a server answers to Prometheus.
///
/// ```swift
/// let metrics = await orders.metrics + signUps.metrics
/// respond(metrics.text)
/// ```
public struct DurableMetrics: Sendable {
  private struct Family {
    var name: String
    var type: String
    var help: String
    var samples: [String] = []
  }

  private var families: [Family] = []

  init() {}

  /// The figures that a journal has of a kind.
  public init(_ figures: JournalFigures, of kind: String) {
    let labels = ["kind": kind]
    add(
      "inbox_messages", "gauge", "Messages that wait in the inbox.",
      [(labels, Double(figures.inbox))])
    add(
      "due_stores", "gauge", "Stores whose moment to wake has come.",
      [(labels, Double(figures.due))])
    add(
      "failed_stores", "gauge", "Stores that their owners cannot go on with.",
      [(labels, Double(figures.failures.count))])
    add(
      "set_aside", "gauge", "Messages, timers and outcomes that were set aside.",
      [(labels, Double(figures.setAside))])
    let owned = figures.shards.filter { $0.worker != nil }
    add(
      "owned_shards", "gauge", "Shards that have an owner.", [(labels, Double(owned.count))])
    add(
      "lease_age_seconds", "gauge", "The time since the lease of a shard was renewed.",
      owned.map { shard in
        var labels = labels
        labels["shard"] = "\(shard.number)"
        labels["worker"] = shard.worker
        return (labels, shard.age)
      })
  }

  mutating func add(
    _ name: String, _ type: String, _ help: String, _ samples: [([String: String], Double)],
    suffix: String = ""
  ) {
    let lines = samples.map { labels, value in
      let text = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
      return "rondo_durable_\(name)\(suffix){\(text.joined(separator: ","))} \(number)"
    }
    add(Family(name: name, type: type, help: help, samples: lines))
  }

  private mutating func add(_ family: Family) {
    if let index = families.firstIndex(where: { $0.name == family.name }) {
      families[index].samples += family.samples
    } else {
      families.append(family)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "\n", with: "\\n")
  }

  /// The figures of both.
  public static func + (first: Self, second: Self) -> Self {
    var sum = first
    for family in second.families { sum.add(family) }
    return sum
  }

  /// The figures as text: for each its meaning, its type and its values, a line each.
  public var text: String {
    families.map { family in
      """
      # HELP rondo_durable_\(family.name) \(family.help)
      # TYPE rondo_durable_\(family.name) \(family.type)
      \(family.samples.map { $0 + "\n" }.joined())
      """
    }.joined()
  }
}

/// The transactions of a process: how many, how long, and with how many turns.
struct CommitFigures {
  static let bounds: [Double] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
  ]
  private(set) var turns = 0
  private(set) var count = 0
  private(set) var seconds = 0.0
  private var buckets = Array(repeating: 0, count: bounds.count)

  mutating func note(turns: Int, _ time: Duration) {
    let time = time.timeInterval
    self.turns += turns
    count += 1
    seconds += time
    if let index = Self.bounds.firstIndex(where: { time <= $0 }) { buckets[index] += 1 }
  }

  func add(to metrics: inout DurableMetrics, _ labels: [String: String]) {
    metrics.add(
      "turns_total", "counter", "Turns that this process has written.", [(labels, Double(turns))])
    let (name, help) = ("commit_seconds", "The time of a transaction of this process.")
    var sum = 0
    var samples = zip(Self.bounds, buckets).map { bound, count in
      sum += count
      return (labels.merging(["le": "\(bound)"]) { $1 }, Double(sum))
    }
    samples.append((labels.merging(["le": "+Inf"]) { $1 }, Double(count)))
    metrics.add(name, "histogram", help, samples, suffix: "_bucket")
    metrics.add(name, "histogram", help, [(labels, seconds)], suffix: "_sum")
    metrics.add(name, "histogram", help, [(labels, Double(count))], suffix: "_count")
  }
}

extension DurableStores {
  /// The figures of this process, and those of the journal where it is an ``OperableJournal``: the depth of the inbox,
  /// the age of leases, turns, the time of transactions, stores that have failed, and what was set aside.
  ///
  /// A journal that cannot be read is a figure, too: `journal_up` is zero then.
  public var metrics: DurableMetrics {
    get async {
      var metrics = DurableMetrics()
      let labels = ["kind": feature.kind]
      var isUp = outage == nil
      if let journal = journal as? any OperableJournal {
        do {
          metrics = DurableMetrics(try await journal.figures(of: feature.kind), of: feature.kind)
        } catch {
          isUp = false
        }
      }
      metrics.add(
        "journal_up", "gauge", "Whether the journal answers this process.", [(labels, isUp ? 1 : 0)]
      )
      metrics.add(
        "active_stores", "gauge", "Stores in the memory of this process.",
        [(labels, Double(active.count))])
      metrics.add(
        "process_shards", "gauge", "Shards that this process owns.",
        [(labels, Double(leases.count))])
      commits.add(to: &metrics, labels)
      return metrics
    }
  }
}

/// A step of durable stores, for those who trace: see ``DurableOptions/onTrace``.
public enum DurableTrace: Sendable, CustomStringConvertible {
  /// A store was loaded, and so many turns were reduced again.
  case loaded(store: StoreKey, turns: Int, in: Duration)
  /// A turn was reduced. It is not written yet.
  case reduced(store: StoreKey, turn: Int64, cause: String, message: String?)
  /// A transaction was written.
  case wrote(turns: Int, in: Duration)
  /// An attempt at a durable effect begins.
  case workBegan(store: StoreKey, key: String, name: String, attempt: Int)
  /// A durable effect has answered.
  case workEnded(store: StoreKey, key: String, name: String)

  public var description: String {
    switch self {
    case .loaded(let store, let turns, let time): "\(store): loaded in \(time), with \(turns) turns"
    case .reduced(let store, let turn, let cause, let message):
      "\(store): turn \(turn), \(cause)" + (message.map { " '\($0)'" } ?? "")
    case .wrote(let turns, let time): "wrote \(turns) turns in \(time)"
    case .workBegan(let store, let key, let name, let attempt):
      "\(store): attempt \(attempt) at the work \(key) ('\(name)')"
    case .workEnded(let store, let key, let name):
      "\(store): the work \(key) ('\(name)') has answered"
    }
  }
}
