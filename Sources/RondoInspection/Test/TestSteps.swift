// The steps of a test: what is sent, what is received, and how far time goes on in between.

import RondoRecording

/// The steps that a test has to make for a feature to do what was recorded.
struct TestSteps {
  enum Step {
    case send(RecordingLine.Action, History.Moment)
    case receive(RecordingLine.Action, History.Moment)
    /// Time goes on by so many seconds. With zero, what is due now is let through.
    case advance(Double)
  }

  private(set) var steps: [Step] = []
  /// Whether an effect was in flight at the end.
  private(set) var leavesEffects = false

  /// The time of the test, in seconds.
  private var now = 0.0
  /// The time of the recording that `now` belongs to.
  private var recorded = 0.0
  /// The time of the test up to which it has been asked to go on.
  private var asked = 0.0
  /// Whether something was due at once, and has to be let through.
  private var isAtOnce = false
  /// The times of the test at which waits end.
  private var dues: [Int: Double] = [:]

  /// The time in a test does not pass by itself, as it does in a program, and what needs no clock
  /// takes none. So time goes on by what effects have waited for, and before an action of the user
  /// by what has really passed, up to the next end of a wait.
  init(_ history: History) {
    let moments = Dictionary(
      history.moments.flatMap { moment in moment.actions.map { ($0.action, moment) } },
      uniquingKeysWith: { first, _ in first })
    var running: Set<Int> = []
    for (_, line) in history.file.lines {
      switch line {
      case .action(let action):
        guard let moment = moments[action.action] else { continue }
        if action.effect == nil { pass(to: action.at) }
        addAdvance()
        steps.append(
          action.effect == nil ? .send(action, moment) : .receive(action, moment))
        recorded = max(recorded, action.at)
      case .effectStarted(let start):
        running.insert(start.effect)
      case .effectWaits(let wait):
        // A scheduler that is asked for no time lets things through at once.
        let atOnce = wait.on == .scheduler ? now : .infinity
        dues[wait.effect] = wait.until.map { now + max(0, $0 - wait.at) } ?? atOnce
      case .effectResumed(let resumption):
        guard let due = dues.removeValue(forKey: resumption.effect), due.isFinite else { continue }
        if due <= now { isAtOnce = true }
        now = max(now, due)
        recorded = max(recorded, resumption.at)
      case .effectEnded(let end):
        running.remove(end.effect)
        dues[end.effect] = nil
      case .advance(let advance):
        // A test store says itself how far time went on.
        now = max(now, asked + advance.by)
        isAtOnce = true
        recorded = max(recorded, advance.at)
      default:
        continue
      }
    }
    leavesEffects = !running.isEmpty
  }

  /// Lets the time pass that has passed before an action of the user.
  private mutating func pass(to time: Double) {
    let milliseconds = ((time - recorded) * 1000).rounded(.down)
    guard milliseconds >= 1, let next = dues.values.min() else { return }
    // A wait that is due then had not ended in the recording, and must not in the test.
    let end = min(now + milliseconds / 1000, next - 0.001)
    now = max(now, end)
  }

  private mutating func addAdvance() {
    let microseconds = ((now - asked) * 1e6).rounded()
    if microseconds >= 1 {
      steps.append(.advance(microseconds / 1e6))
    } else if isAtOnce {
      steps.append(.advance(0))
    }
    asked = now
    isAtOnce = false
  }
}
