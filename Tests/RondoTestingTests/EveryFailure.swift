// A test that fails in every way that a test store knows, for tests of who is told.

@testable import RondoTestStore

/// Fails at some lines of this file.
///
/// - Returns: The lines, in order.
nonisolated(nonsending) func failInEveryWay() async -> [Int] {
  var lines: [Int] = []
  func next(_ line: Int = #line) { lines.append(line + 1) }
  let store = makeStore()
  store.timeout = .zero

  next()
  await store.send(.increment)
  next()
  await store.send(.counted(2)) { $0.count = 3 }
  next()
  await store.send(.counted(2)) { $0.count = 2 }
  next()
  await store.send(.increment) { _ in throw CancellationError() }

  await store.send(.run)
  next()
  await store.receive(.counted(1))
  next()
  await store.receive(.increment)
  await store.send(.animated)
  next()
  await store.receive(.increment) { $0.count = 5 }
  await store.send(.runTwo)
  next()
  await store.receive(inAnyOrder: .equal(.increment))
  next()
  await store.send(.nothing)

  await store.send(.sleep)
  next()
  await store.receive(.increment)
  await store.skipInFlightEffects()
  next()
  await store.skipInFlightEffects()
  next()
  await store.skipReceivedActions()
  next()
  await store.advance(by: .seconds(-1))
  next()
  store.assert { $0.count = 100 }

  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  let task = await store.send(.own(.init { _ in for await _ in stream {} }))
  next()
  await task.finish()
  await store.send(.sleep)
  next()
  await store.finish()
  withExtendedLifetime(continuation) {}

  do {
    let store = makeStore()
    next()
    await store.send(.sleep)
    next()
    await store.send(.run)
  }
  return lines
}
