// Several listeners at the same time.

import Foundation
import Testing

@testable import RondoTerminal

/// The signals are some that do nothing unless something listens to them. They come before `raise` returns.
@MainActor
@Suite struct SignalListenerTests {
  private func listener(_ numbers: Int32...) throws -> SignalListener {
    try SignalListener(numbers) { _ in }
  }

  /// The signals that have come to a listener.
  private func signals(of listener: SignalListener) -> [Int32] { listener.take(waiting: 0) }

  private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler == nil
  }

  @Test func aSignalGoesToTheListenerToIt() throws {
    let older = try listener(SIGURG)
    let newer = try listener(SIGWINCH)
    raise(SIGURG)
    #expect(signals(of: newer) == [])
    #expect(signals(of: older) == [SIGURG])
    newer.stop()
    older.stop()
  }

  @Test func aSignalGoesToTheNewestListenerToIt() throws {
    let older = try listener(SIGURG, SIGWINCH)
    let newer = try listener(SIGURG)
    raise(SIGURG)
    raise(SIGWINCH)
    #expect(signals(of: newer) == [SIGURG])
    #expect(signals(of: older) == [SIGWINCH])
    newer.stop()
    raise(SIGURG)
    #expect(signals(of: older) == [SIGURG])
    older.stop()
  }

  @Test func aListenerThatStopsTakesNoSignalFromANewerOne() throws {
    let older = try listener(SIGURG)
    let newer = try listener(SIGURG)
    older.stop()
    raise(SIGURG)
    #expect(signals(of: newer) == [SIGURG])
    newer.stop()
  }

  @Test func aSignalDoesWhatItDidBeforeAfterTheLastListenerToIt() throws {
    let older = try listener(SIGURG)
    let newer = try listener(SIGURG, SIGWINCH)
    older.stop()
    #expect(!isIgnored(SIGURG))
    newer.stop()
    #expect(isIgnored(SIGURG) && isIgnored(SIGWINCH))
  }

  // H28
  @Test func aStormOfOneSignalKeepsNoOtherWaiting() throws {
    let listener = try listener(SIGURG, SIGWINCH)
    for _ in 0..<70_000 { raise(SIGWINCH) }
    raise(SIGURG)
    #expect(signals(of: listener) == [SIGURG, SIGWINCH])
    raise(SIGWINCH)
    #expect(signals(of: listener) == [SIGWINCH])
    listener.stop()
  }

  // H28
  @Test func aSignalThatWasNotReadIsNewForTheNextListener() throws {
    let older = try listener(SIGURG)
    raise(SIGURG)
    let newer = try listener(SIGURG)
    raise(SIGURG)
    #expect(signals(of: newer) == [SIGURG])
    #expect(signals(of: older) == [SIGURG])
    raise(SIGURG)
    newer.stop()
    raise(SIGURG)
    #expect(signals(of: older) == [SIGURG])
    older.stop()
  }

  @Test func aNumberThatNoSignalHasIsLeftOut() throws {
    let listener = try listener(-1, 0, 65, 1_000, SIGURG)
    raise(SIGURG)
    #expect(signals(of: listener) == [SIGURG])
    listener.stop()
  }
}
