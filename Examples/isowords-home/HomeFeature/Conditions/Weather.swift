// Faults of a request on its way to the server and back, by seed.

import Dispatch
import Rondo
import Synchronization

/// A network that is bad every now and then: answers are late, cut off, too long, of another
/// status, or do not come.
public final class Weather: Sendable {
  private struct State {
    var isStormy = false
    var numbers: SplitMix64
  }

  private let state: Mutex<State>
  private let queue: AnySchedulerOf<DispatchQueue>

  /// A network whose weather follows from a seed.
  ///
  /// - Parameters:
  ///   - seed: What happens follows from it.
  ///   - queue: What late answers wait on.
  public init(seed: UInt64, queue: AnySchedulerOf<DispatchQueue>) {
    state = Mutex(State(numbers: SplitMix64(seed: seed)))
    self.queue = queue
  }

  /// Whether anything happens. Else every answer comes as it is.
  public var isStormy: Bool {
    get { state.withLock(\.isStormy) }
    set { state.withLock { $0.isStormy = newValue } }
  }

  /// A transport through this weather.
  public func transport(_ transport: @escaping ServerTransport) -> ServerTransport {
    { [self] request in
      let draw = state.withLock { state in
        state.isStormy ? Int.random(in: 0..<12, using: &state.numbers) : 12
      }
      let answer = transport(request)
      switch draw {
      case 0: return answer.map { _ in .failure(.unreachable("it took too long to answer")) }
      case 1: return answer.map { _ in .success(ServerResponse(status: 500)) }
      case 2: return answer.map { _ in .success(ServerResponse(status: 401)) }
      case 3:
        return answer.map { result in
          result.map { ServerResponse(status: $0.status, body: Array($0.body.dropLast(7))) }
        }
      case 4:
        let long = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 1)
        return answer.map { _ in .success(ServerResponse(status: 200, body: long)) }
      case 5, 6:
        return answer.delay(for: .seconds(20), scheduler: queue)
      default: return answer
      }
    }
  }
}
