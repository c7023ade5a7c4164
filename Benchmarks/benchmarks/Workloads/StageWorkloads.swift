// The home screen and the stage: a frame, a large stage's frame, a whole launch.

import Foundation
import RondoHomeProgram
import RondoStage

/// A stage with so many nodes, of which every tenth is on its way.
@MainActor
private func crowd(_ count: Int) -> Stage {
  let stage = Stage()
  func tree(_ x: Double) -> Node {
    Node.group {
      Node.forEach((0..<count / 100).map(Row.init)) { row in
        Node.group {
          Node.forEach((0..<99).map(Row.init)) { cell in
            Node.text("*")
              .offset(x: cell.id.isMultiple(of: 10) ? x : 0, y: Double(row.id))
              .opacity(0.5)
          }
        }
      }
    }
  }
  stage.commit(tree(0), at: .zero)
  withAnimation(.easeInOut(duration: 1)) { stage.commit(tree(100), at: .zero) }
  return stage
}

private struct Row: Identifiable {
  var id: Int
}

/// A folder with the saved games of the example.
private let savedGames = URL(filePath: #filePath)
  .appending(path: "../../../../Examples/isowords-home/Sample").standardizedFileURL.path

let stageWorkloads = [
  Workload(
    "frame", sizes: [1_000], counted: [10, 100], isSingleThreaded: true, reach: "< 200 us",
    body: { size, stopwatch in
      let rehearsal = Rehearsal(directory: savedGames)
      // The answers of the server have come, and are on their way to their places.
      let start = Duration.milliseconds(500)
      let stage = rehearsal.stage(at: start)
      var shown: Canvas?
      var bytes = 0
      stopwatch.measure {
        for index in 0..<size {
          let instant = start + .microseconds(300_000 * index / size)
          let (width, height) = (Rehearsal.width, Rehearsal.height)
          let canvas = Canvas(stage.frame(at: instant), width: width, height: height)
          bytes += canvas.ansi(from: shown, ability: .full).utf8.count
          shown = canvas
        }
      }
      precondition(stage.isAnimating && bytes > 2_000)
    }),
  Workload(
    "stage_frame", sizes: [100], counted: [2, 10], isSingleThreaded: true,
    reach: "10,000 nodes, 1,000 moving: < 5 ms",
    body: { size, stopwatch in
      let stage = crowd(10_000)
      precondition(stage.activeCount == 1_000)
      var nodes = 0
      stopwatch.measure {
        for index in 0..<size {
          nodes += stage.frame(at: .microseconds(1_000_000 * index / size)).nodes.count
        }
      }
      precondition(nodes >= 10_000 * size)
    }),
  Workload(
    "home_launch", sizes: [20], counted: [2, 20], isSingleThreaded: true, reach: "< 5 ms",
    body: { size, stopwatch in
      let rehearsal = Rehearsal(directory: savedGames)
      var commits = 0
      stopwatch.measure {
        for _ in 0..<size { commits += rehearsal.launch() }
      }
      precondition(commits >= 5 * size)
    }),
]
