// The closures of effects that begin outside of the lock of their machine: of effects without a store.

import RondoAnimation
import RondoScheduling

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The work of effects that begins when the lock of the machine is free, and the nodes that wait for it.
///
/// The interpreter halts when such work is started, so that nothing passes it. When the lock is given back, the nodes are
/// put aside: other threads may start some of their own. They are started behind the work, on its thread.
final class OutsideWork {
  private let lock: LockIsolation
  /// Whether the interpreter starts no nodes until the lock is given back.
  private var isHalted = false
  /// The number of nodes on the stack before the step that the work is part of.
  private var bottom = 0
  /// The cause of that step.
  private var cause = Turn.Cause()
  /// The nodes that wait, by the frame of the work. Each thread that lets some begin has a stack of its own.
  private var parked: [ObjectIdentifier: Parked] = [:]

  private struct Parked {
    var stack: Interpreter.NodeStack
    let bottom: Int
    let cause: Turn.Cause
    /// The thread on which the work begins, and which starts the nodes.
    let thread = pthread_self()

    /// Whether what the work asks for on this thread joins the nodes. On another thread than theirs it only joins
    /// what the work has asked for before.
    var takesMore: Bool { stack.hasNew || pthread_equal(thread, pthread_self()) != 0 }
  }

  init(_ lock: LockIsolation) {
    self.lock = lock
  }

  /// Lets the work of an effect begin when the lock is free.
  func begin(_ source: SourceFrame, _ interpreter: Interpreter) {
    // The work keeps the machine, which may be cancelled before it has begun.
    let machine = interpreter.machine
    isHalted = true
    cause = machine.turn.cause
    lock.beginOutside {
      self.park(behind: source, interpreter)
    } begin: {
      machine.beginOutside(source)
    }
  }

  /// Lets the interpreter halt if work has been started. Returns whether it does.
  ///
  /// - Parameter bottom: The number of nodes that were on the stack before the step which has just been made.
  func haltForWork(above bottom: Int) -> Bool {
    if isHalted { self.bottom = bottom }
    return isHalted
  }

  private func park(behind source: SourceFrame, _ interpreter: Interpreter) {
    var stack = exchange(&interpreter.stack, with: Interpreter.NodeStack())
    (stack.beginning, stack.countBefore) = (source, stack.nodes.count)
    parked[ObjectIdentifier(source)] = Parked(stack: stack, bottom: bottom, cause: cause)
    isHalted = false
  }

  /// Starts the nodes that have waited for the work of an effect.
  func goOn(behind source: SourceFrame, _ interpreter: Interpreter) {
    guard var rest = parked.removeValue(forKey: ObjectIdentifier(source)) else { return }
    assert(!interpreter.stack.isStarting, "Nodes are started inside of others.")
    interpreter.machine.turn.cause = rest.cause
    interpreter.step(begunAt: rest.bottom) {
      // With a second owner, all of them would be copied when the first one is taken.
      interpreter.stack.nodes = exchange(&rest.stack.nodes, with: [])
    }
  }

  /// Makes a change that the work of an effect asks for. While that work begins, what the change puts on the stack is
  /// started behind it, on its thread.
  func whileOnStack(
    of source: SourceFrame, _ interpreter: Interpreter, _ change: () -> Void
  ) {
    let id = ObjectIdentifier(source)
    guard source !== interpreter.stack.beginning, parked[id]?.takesMore == true else {
      return change()
    }
    swap(&interpreter.stack, &parked[id]!.stack)
    change()
    swap(&interpreter.stack, &parked[id]!.stack)
  }
}

extension Machine {
  /// The mark of a thread while the work of an effect of this machine begins there outside of its lock, and of no other
  /// further up the stack.
  private var beginningMark: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// Whether the closures of effects may begin at once that begin outside of the lock that protects the machine.
  var mayBeginOutside: Bool {
    guard Self.atWork.current == beginningMark else { return false }
    return !isOnMainQueue() || (!ObserveToken.isRunning && MainActorWork.innermost == nil)
  }

  /// Lets the work of an effect begin outside of the lock that protects the machine, and the interpreter go on.
  fileprivate func beginOutside(_ source: SourceFrame) {
    let (interpreter, mailbox) = (interpreter, source.mailbox)
    var begins = false
    mailbox.whileLocked { begins = source.isAttached }
    if begins {
      whileBeginningOutside { source.startWork(interpreter) }
    }
    mailbox.whileLocked { goOn(behind: source, interpreter) }
  }

  private func whileBeginningOutside(_ begin: () -> Void) {
    let outer = Self.atWork.current
    Self.atWork.with(outer == 0 ? beginningMark : outer) { whileNothingIsInForce(begin) }
  }

  private func goOn(behind source: SourceFrame, _ interpreter: Interpreter) {
    guard let outside = interpreter.outside else { return }
    guard turn.phase != .closed else { return outside.goOn(behind: source, interpreter) }
    drain { outside.goOn(behind: source, interpreter) }
  }
}
