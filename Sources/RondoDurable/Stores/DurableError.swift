// The errors of durable stores, and the events to log.

import Foundation
import RondoScheduling

/// An error of durable stores. Its description is one line that says what, where, and what to do.
public enum DurableError: Error, Sendable, CustomStringConvertible {
  /// The journal could not be written. The action was handled or it was not.
  case unknown(store: StoreKey, reason: String)
  /// The journal could not be read.
  case unavailable(store: StoreKey, reason: String)
  /// A row cannot be read, or does not lead to the state that was recorded.
  case damaged(store: StoreKey, turn: Int64, reason: String)
  /// Data of a newer version of the feature.
  case newer(store: StoreKey, turn: Int64, version: Int, known: Int)
  /// Data of an older version of the feature, which nobody brings forward.
  case older(store: StoreKey, turn: Int64, version: Int, reason: String)
  /// A turn of another revision of the feature leads to another state under this one.
  case revised(store: StoreKey, turn: Int64, revision: Int, known: Int)
  /// An action or a state cannot be encoded.
  case cannotEncode(store: StoreKey, reason: String)
  /// The database refuses what a turn has in it.
  case cannotWrite(store: StoreKey, reason: String)
  /// A message of the inbox cannot be handled. It waits, with those behind it.
  case cannotHandle(MessageKey, reason: String)
  /// Processes have ended while they handled something, so it is not tried again.
  case setAside(store: StoreKey, what: String, attempts: Int)
  /// The process that owns the store cannot go on with it. The action waits in the inbox.
  case refused(store: StoreKey, reason: String)
  /// No answer has come in time. The action is handled, or may be later, and so is the answer: ask again with the same id.
  case timedOut(MessageKey, after: Duration, isHandled: Bool)
  /// There is no answer to a message, and there will be none.
  case noAnswer(MessageKey, reason: String)
  /// The name of a store, or the id of a message, is one that not every database can keep.
  case invalidName(kind: String, reason: String)

  public var description: String {
    switch self {
    case .unknown(let store, let reason):
      "\(store): the journal could not be written (\(reason)), so the action was handled or it was not; "
        + "send it again with the same id."
    case .unavailable(let store, let reason):
      "\(store): the journal could not be read (\(reason)); try again when the database is there."
    case .damaged(let store, let turn, let reason):
      "\(store): turn \(turn) of the journal \(reason); nothing was changed. Run the version of the "
        + "feature that has written it, or repair the row and call 'retry()'."
    case .newer(let store, let turn, let version, let known):
      "\(store): turn \(turn) was written by version \(version) of the feature, and this is version "
        + "\(known); nothing was changed. Run the newer one."
    case .older(let store, let turn, let version, let reason):
      "\(store): turn \(turn) was written by version \(version) of the feature and \(reason); nothing "
        + "was changed. Bring it forward with 'migrate'."
    case .revised(let store, let turn, let revision, let known):
      "\(store): turn \(turn) was written by revision \(revision) of the feature, and leads to another state under "
        + "revision \(known); nothing was changed. Run revision \(revision) and end it, so that it stores the state, or say "
        + "'whenRevised(.replace)'."
    case .cannotEncode(let store, let reason):
      "\(store): an action, or the state after it, cannot be encoded (\(reason)); the action was not "
        + "handled. Use values that JSON has."
    case .cannotWrite(let store, let reason):
      "\(store): the database refuses a turn (\(reason)); the action was not handled. Use values that the "
        + "database can keep."
    case .cannotHandle(let message, let reason):
      "\(message.store): the message '\(message.id)' of the inbox cannot be handled (\(reason)); nothing was "
        + "changed. Run a version of the feature that can, or leave it out with 'retry(discarding:)'."
    case .setAside(let store, let what, let attempts):
      "\(store): \(what) has ended \(attempts) processes that handled it, so it is handled no more. Mend the "
        + "feature and call 'retry()', which tries it once, or leave a message out with 'retry(discarding:)'."
    case .refused(let store, let reason):
      "\(store): its owner cannot go on with it, and what is sent to it waits in the inbox until another can: "
        + "\(reason)"
    case .timedOut(let message, let time, let isHandled):
      "\(message.store): the message '\(message.id)' has no answer after \(time); it "
        + (isHandled ? "was handled, and may be answered later" : "may be handled later")
        + ". Ask again with the same id."
    case .noAnswer(let message, let reason):
      "\(message.store): the message '\(message.id)' gets no answer: \(reason)"
    case .invalidName(let kind, let reason):
      "\(kind): \(reason); nothing was done. Use a name that is not empty, without U+0000, of at most "
        + "\(StoreKey.longestName) bytes of UTF-8, in Unicode's normal form C."
    }
  }
}

extension DurableError {
  /// The error as that of the message of the inbox whose turn it is.
  func ofMessage(_ id: String?) -> Self {
    switch (self, id) {
    case (.cannotEncode(let store, let reason), let id?):
      .cannotHandle(
        MessageKey(store: store, id: id),
        reason: "its action, or the state after it, cannot be encoded: \(reason)")
    case (.cannotWrite(let store, let reason), let id?):
      .cannotHandle(
        MessageKey(store: store, id: id), reason: "the database refuses its turn: \(reason)")
    default: self
    }
  }
}

/// Something that the user of durable stores may want to log.
public enum DurableEvent: Sendable, CustomStringConvertible {
  /// The worker owns a shard now.
  case tookShard(Int, epoch: Int64)
  /// Another worker has taken the shard over. What was not written is forgotten.
  case lostShard(Int)
  /// The worker has given a shard to others.
  case gaveShard(Int)
  /// The worker gives a shard to workers of a newer version, which something in it needs.
  case yieldedShard(Int, version: Int)
  /// Turns of another version or revision of the feature were reduced again, and nothing was written so far.
  case replayed(store: StoreKey, DurableReplay)
  /// Ordinary effects of an action were in flight when their process ended.
  case interrupted(store: StoreKey, action: String, InterruptionDecision)
  /// Durable work has thrown an error, and will be started again.
  case workFailed(store: StoreKey, key: String, error: String, again: Duration)
  /// A store cannot be activated. Its rows are as they were.
  case cannotActivate(DurableError)
  /// Work of a name that the feature has not registered. It stays recorded.
  case unknownWork(store: StoreKey, name: String)
  /// Something was set aside, and its store goes on without it.
  case setAside(DurableError)
  /// The state of a store cannot be encoded, so it is not stored, and the rows of its turns are kept for it. What
  /// follows until one can be stored is not reported.
  case stateNotStored(store: StoreKey, turn: Int64, reason: String)
  /// The journal has failed. It is tried again, and what fails until it is back is not reported.
  case journalFailed(String)
  /// The journal has answered again, after it had failed for some time.
  case journalIsBack(after: Duration)

  public var description: String {
    switch self {
    case .tookShard(let shard, let epoch): "took shard \(shard), epoch \(epoch)"
    case .lostShard(let shard): "lost shard \(shard) to another worker"
    case .gaveShard(let shard): "gave shard \(shard) away"
    case .yieldedShard(let shard, let version):
      "gave shard \(shard) to workers of version \(version), which something in it needs"
    case .replayed(let store, let replay):
      "\(store): turns \(replay.first) to \(replay.last), of version \(replay.version), revision \(replay.revision), were "
        + "reduced again, and "
        + (replay.changed.map { "lead to another state from turn \($0) on" }
          ?? "no other state was found")
    case .interrupted(let store, let action, let decision):
      "\(store): effects of \(action) were interrupted, decision: \(decision)"
    case .workFailed(let store, let key, let error, let again):
      "\(store): the work \(key) has failed (\(error)), and is tried again in \(again)"
    case .cannotActivate(let error): "\(error)"
    case .setAside(let error): "set aside, and its store goes on without it: \(error)"
    case .unknownWork(let store, let name):
      "\(store): no work is registered under \"\(name)\"; register it, and start the program again"
    case .stateNotStored(let store, let turn, let reason):
      "\(store): the state after turn \(turn) cannot be encoded (\(reason)), so it is not stored, and each turn is kept; "
        + "let the feature use values that JSON has"
    case .journalFailed(let reason): "the journal has failed: \(reason)"
    case .journalIsBack(let time): "the journal is back after \(time)"
    }
  }
}

extension DurableEvent {
  /// The event as a line for standard error: without an action, and with control characters written out.
  var line: String {
    let text =
      if case .interrupted(let store, _, let decision) = self {
        "\(store): effects of an action were interrupted, decision: \(decision)"
      } else {
        description
      }
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// Writes the line. What cannot be written is dropped.
  func print() {
    StandardError.write("\(line)\n")
  }
}
