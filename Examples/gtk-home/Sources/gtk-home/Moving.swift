// A measurement: many nodes move, and the time of their frames is taken.

import Dispatch
import Foundation
import GTKStage
import RondoStage

/// Lets so many nodes move for five seconds, and prints how long their frames took.
func measure(_ count: Int) {
  let view = StageView<Int>(measuresFrames: true)
  let window = Window("\(count) nodes", view, size: Size(width: 820, height: 620))
  var turns = 0
  func turn() {
    view.show(moving(count, isTurned: turns % 2 == 1), transaction: Transaction(animation: .spring))
    turns += 1
    guard turns <= 10 else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) {
      MainActor.assumeIsolated { turn() }
    }
  }
  window.present()
  turn()
  MainLoop.run { window.isClosed || turns > 10 }
  print("\(count) nodes, \(view.frameTimes?.count ?? 0) frames")
  print(view.frameTimes?.report ?? "")
  window.close()
}

/// So many rounded rectangles, each of which changes its place, its extent and its colour.
private func moving(_ count: Int, isTurned: Bool) -> Node {
  .group {
    (0..<count).map { number in
      let place = isTurned ? count - 1 - number : number
      let (column, row) = (place % 40, place / 40)
      return RoundedRectangle(cornerRadius: 3)
        .fill(isTurned ? Color(0xFF8A5C) : Color(0x7FB4FF))
        .frame(
          x: 10 + 20 * Double(column), y: 10 + 20 * Double(row), width: isTurned ? 16 : 12,
          height: 12
        )
        .opacity(isTurned ? 0.6 : 1)
    }
  }
}
