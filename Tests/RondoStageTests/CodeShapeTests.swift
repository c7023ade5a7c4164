// The shapes of code of sources for SwiftUI that no other test of this folder compiles. The table in
// Documentation/Animation.md lists the shapes of all.

import Dispatch
import Foundation
import Rondo
import RondoCompatibility
import RondoScheduling
import RondoStage
import Testing

@MainActor
@Suite struct CodeShapeTests {
  private let isOn = true
  private let text = Node.text("AB")
  private let box = Node.fill().frame(width: 10, height: 4)
  @Namespace private var namespace

  @Test func modifiers() {
    var seen = 0
    let views: [Node] = [
      text.rotationEffect(.degrees(isOn ? 360 : 0)),
      text.rotationEffect(Angle(radians: .pi), anchor: .bottom),
      text.rotation3DEffect(.degrees(180), axis: (x: 0, y: 1, z: 0)),
      text.overlay { Circle() },
      text.font("serif"),
      text.id(42),
      text.onAppear { seen += 1 },
    ]
    Stage().commit(Node.group { views }, at: .zero)
    #expect(seen == 1)
  }

  @Test func shapes() {
    let views: [Node] = [
      Circle().fill(.red),
      RoundedRectangle(cornerRadius: 10).strokeBorder(lineWidth: 3),
      Capsule().fill(.green),
      Ellipse().stroke(.gray, lineWidth: 2),
      Pie(start: .degrees(0), end: .degrees(90)).fill(.red),
    ]
    #expect(frame(Node.group { views }).nodes.count == 6)
  }

  @Test func stacksAndLists() {
    struct Item: Identifiable { var id: Int, name: String }
    let (items, names, count) = ([Item(id: 1, name: "one")], ["a", "b"], 3)
    var taps = 0
    let view = VStack(alignment: .leading, spacing: 1) {
      Text("\(count)")
      HStack(spacing: 2) {
        Button("Save") { taps += 1 }
        Button(action: { taps += 1 }) { Text("Quit") }
        Text("tap").onTapGesture { taps += 1 }
      }
      ZStack {
        Circle().fill().frame(width: 3, height: 3).zIndex(1)
        Circle().trim(from: 0, to: 0.5).stroke(.green).frame(width: 3, height: 3)
        Rectangle().fill(.red.opacity(0.5))
      }
      ZStack(alignment: .bottomTrailing) {
        box; text
      }
      Group {
        ForEach(items) { Text($0.name) }
        ForEach(0..<3) { Text("\($0)") }
        ForEach(names, id: \.self) { Text($0) }
      }
    }
    #expect(frame(view.node).nodes.count == 19)
    #expect(taps == 0)
  }

  @Test func keyframesAndPhases() {
    let count = 1
    struct Values {
      var angle = Angle.zero
      var scale = 1.0
    }
    let timeline = KeyframeTimeline(initialValue: Values()) {
      KeyframeTrack(\.angle) { CubicKeyframe(.degrees(30), duration: 0.25) }
      KeyframeTrack(\.scale) {
        LinearKeyframe(1.5, duration: 0.5)
        SpringKeyframe(1, spring: .bouncy)
        MoveKeyframe(2)
      }
    }
    #expect(timeline.value(time: 0.25).scale == 1.25)
    let views: [Node] = [
      text.phaseAnimator([1.0, 2]) { $0.scaleEffect($1) },
      text.phaseAnimator([1.0, 2], trigger: count) {
        $0.scaleEffect($1)
      } animation: { _ in
        .snappy
      },
      text.keyframeAnimator(initialValue: Values(), trigger: count) {
        $0.rotationEffect($1.angle)
      } keyframes: { _ in
        KeyframeTrack(\.angle) { LinearKeyframe(.degrees(90), duration: 1) }
      },
    ]
    #expect(frame(Node.group { views }).nodes.count == 7)
  }

  @Test func typesOfOnesOwn() {
    let views: [Node] = [
      text.modifier(Highlight(color: .red)),
      text.modifier(ShakeEffect(shakes: 2)),
      text.cardify(isFaceUp: isOn).node,
      Badge(count: 3).node,
      Node.group {
        if isOn { Badge(count: 1) } else { Circle() }
        Node.forEach(0..<3, id: \.self) { Node.text("\($0)") }.transition(.scale)
      },
    ]
    #expect(frame(Node.group { views }).nodes.count > 10)
  }

  @Test func transitions() {
    let views: [Node] = [
      text.transition(.move(edge: .bottom)),
      text.transition(.push(from: .leading)),
      text.transition(.scale(scale: 0.5, anchor: .topLeading)),
      text.transition(.asymmetric(insertion: .scale, removal: .opacity)),
      text.transition(.opacity.combined(with: .move(edge: .leading))),
      text.transition(.scale.animation(.spring())),
      text.transition(
        .modifier(active: ShakeEffect(shakes: 1), identity: ShakeEffect(shakes: 0))),
      box.matchedGeometryEffect(id: 1, in: namespace, properties: .position, isSource: false),
    ]
    #expect(views.allSatisfy { $0.description.contains("(") })
  }

  @Test func transactions() {
    let views: [Node] = [
      text.animation(nil, value: isOn),
      text.animation(.easeOut) { $0.opacity(isOn ? 1 : 0.2) },
    ]
    #expect(views.allSatisfy { $0.description.contains("ion") })

    var log: [String] = []
    withAnimation { log.append("body") }
    withAnimation(.spring()) { log.append("body") }
    withAnimation(.easeOut, completionCriteria: .removed) {
      log.append("body")
    } completion: {
      log.append("completion")
    }
    withTransaction(Transaction(animation: .linear)) { log.append("body") }
    withTransaction(\.isContinuous, true) { log.append("body") }
    var transaction = Transaction(animation: .easeOut)
    transaction.addAnimationCompletion { log.append("completion") }
    withTransaction(transaction) { log.append("body") }
    #expect(log.count == 8)

    let binding = Binding(get: { log.count }, set: { log.append("\($0)") })
    binding.animation(.default).wrappedValue = 3
    #expect(log.last == "3")
  }

  @Test(arguments: [
    Animation.easeIn(duration: 1).delay(0.5),
    .default.repeatCount(5).speed(3),
    .linear(duration: 1).repeatForever(autoreverses: false),
    .timingCurve(0.34, 1.56, 0.64, 1, duration: 0.4),
    .spring(response: 0.5, dampingFraction: 0.8),
    .spring(duration: 0.5, bounce: 0.3),
    .interactiveSpring(),
    .interpolatingSpring(mass: 1, stiffness: 100, damping: 10, initialVelocity: 0),
    .bouncy(duration: 0.4, extraBounce: 0.1),
    .easeOut.logicallyComplete(after: 0.2),
  ])
  func animations(_ animation: Animation) {
    #expect(animation.sample(at: 0.1).value.isFinite)
  }

  @Test func curvesAndSprings() {
    #expect(UnitCurve.easeInOut.value(at: 0.5) == 0.5)
    #expect(UnitCurve.circularEaseIn.velocity(at: 0) == 0)
    #expect(Spring(duration: 0.5, bounce: 0.3).value(target: 1, time: 0) == 0)
    #expect(Spring(mass: 1, stiffness: 100, damping: 10).settlingDuration > 0)
  }

  @Test func schedulersAndEffects() {
    let scheduler = DispatchQueue.test
    let mainQueue = scheduler.eraseToAnyScheduler()
    let effects: [Effect<Int>] = [
      .send(1).receive(on: mainQueue.animation()),
      .send(1).receive(on: mainQueue.animation(.easeOut)).eraseToEffect(),
      .send(1).receive(on: mainQueue.animate(withDuration: 0.3)).eraseToEffect(),
      .merge(.send(1), .send(2)),
      .concatenate(.send(1), .send(2)),
    ]
    #expect(effects.count == 5)

    final class Model {
      @Published var count = 0
    }
    let model = Model()
    animate(withDuration: 0.3) { model.count = 2 }
    Just(1).receive(on: mainQueue.animation()).eraseToAnyPublisher()
      .assign(to: &model.$count)
    scheduler.advance()
    #expect(model.count == 1)
  }

  @Test func sprites() {
    let scheduler = DispatchQueue.test
    let performer = Performer(scheduler: scheduler)
    let label = Sprite("label", performer: performer, alpha: 0)
    let button = Sprite("button", performer: performer, alpha: 0)
    var ended = 0
    label.animate([.fadeIn(), .move(byX: 0, y: 50)])
    label.animate(inParallel: .fadeOut(), .resize(to: CGSize(width: 4, height: 1)))
    animate([label.animate(.fadeIn()), button.animate(.fadeIn())])
    let token: AnimationToken = label.animate(SpriteStep(duration: 2) { $0.alpha = 0.75 })
    token.perform(completionHandler: { ended += 1 })
    scheduler.advance(by: .seconds(5))
    #expect(ended == 1)
  }

  /// The page lists shapes in the first table after its heading, each as a piece of code.
  @Test func thePageListsShapesThatAreCompiled() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(
      contentsOf: folder.appending(path: "../../Documentation/Animation.md"), encoding: .utf8)
    let start = try #require(page.range(of: "## The names of SwiftUI\n")).upperBound
    let section = page[start...].prefix(upTo: page[start...].range(of: "\n## ")!.lowerBound)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    let shapes = rows.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
    #expect(Set(shapes).count == shapes.count && shapes.count >= 71, "\(shapes.count)")
    func plain(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let source = try files.filter { $0.pathExtension == "swift" }
      .map { plain(try String(contentsOf: $0, encoding: .utf8)) }.joined()
    for shape in shapes { #expect(source.contains(plain(shape)), "\(shape)") }
  }

  private func frame(_ node: Node) -> StageFrame {
    let stage = Stage()
    stage.commit(node, at: .zero)
    return stage.frame(at: .zero)
  }
}
