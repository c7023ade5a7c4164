// The spellings that sources written for SwiftUI use: each compiles, and does what its name says.

import Foundation
import RondoScheduling
import RondoStage
import Testing

/// Shapes of code, each with what it has to lead to.
@Suite struct SpellingTests {
  private let isOn = true
  private let text = Node.text("AB")
  @Namespace private var namespace

  private func appearance(_ view: some View, size: Double = 10) -> Appearance {
    let stage = Stage()
    stage.commit(view.node, at: .zero)
    return stage.frame(at: .zero).nodes[0].appearance
  }

  private var box: Node { Node.fill().frame(width: 10, height: 4) }

  @Test func scaling() {
    #expect(appearance(text.scaleEffect(2)).scale == Point(x: 2, y: 2))
    #expect(appearance(text.scaleEffect(isOn ? 1.5 : 1)).scale.x == 1.5)
    #expect(appearance(text.scaleEffect(x: 2, y: 1)).scale == Point(x: 2, y: 1))
    #expect(appearance(text.scaleEffect(CGSize(width: 3, height: 2))).scale == Point(x: 3, y: 2))
    #expect(
      appearance(box.scaleEffect(0.5, anchor: .topLeading)).frame == Rect(width: 5, height: 2))
    #expect(
      appearance(box.scaleEffect(0.5, anchor: .bottomTrailing)).frame
        == Rect(x: 5, y: 2, width: 5, height: 2))
  }

  @Test func turning() {
    #expect(appearance(text.rotationEffect(.degrees(90))).rotation == 90)
    #expect(abs(appearance(text.rotationEffect(.radians(.pi))).rotation - 180) < 1e-9)
    #expect(appearance(text.rotationEffect(Angle(degrees: isOn ? 360 : 0))).rotation == 360)
    let corner = appearance(box.rotationEffect(.degrees(90), anchor: .topLeading))
    let center = corner.transform
    #expect(abs(center.tx) < 1e-9 && abs(center.ty) < 1e-9 && abs(center.b - 1) < 1e-9)
    let flipped = appearance(box.rotation3DEffect(.degrees(60), axis: (x: 0, y: 1, z: 0)))
    #expect(abs(flipped.scale.x - 0.5) < 1e-9 && flipped.scale.y == 1)
    let rolled = appearance(box.rotation3DEffect(.degrees(30), axis: (0, 0, 1)))
    #expect(abs(rolled.rotation - 30) < 1e-9)
  }

  @Test func moving() {
    #expect(appearance(text.offset(CGSize(width: 3, height: 2))).translation == Point(x: 3, y: 2))
    #expect(appearance(text.offset(x: isOn ? 5 : 0)).translation.x == 5)
    #expect(appearance(text.offset(y: 4)).translation.y == 4)
    #expect(appearance(box.position(x: 20, y: 10)).frame == Rect(x: 15, y: 8, width: 10, height: 4))
    #expect(
      appearance(box.position(CGPoint(x: 5, y: 2))).frame == Rect(x: 0, y: 0, width: 10, height: 4))
  }

  @Test func colouring() {
    #expect(appearance(text.foregroundColor(.red)).foreground == .red)
    #expect(appearance(text.foregroundColor(isOn ? .red : nil)).foreground == .red)
    #expect(appearance(text.foregroundStyle(.blue)).foreground == .blue)
    #expect(appearance(text.foregroundStyle(isOn ? .orange : .purple)).foreground == .orange)
    #expect(appearance(text.hidden()).opacity == 0)
    #expect(appearance(text.background(.yellow)).background == .yellow)
  }

  @Test func shapes() {
    #expect(appearance(Circle().fill(.red).frame(width: 4, height: 4)).foreground == .red)
    #expect(appearance(RoundedRectangle(cornerRadius: 10).foregroundColor(.red)).foreground == .red)
    #expect(appearance(Capsule().fill(.green)).foreground == .green)
    #expect(appearance(Ellipse().stroke(.gray, lineWidth: 2)).foreground == .gray)
    #expect(
      appearance(RoundedRectangle(cornerRadius: 10).strokeBorder(lineWidth: 3)).foreground == nil)
    #expect(appearance(Circle().strokeBorder(.white)).foreground == .white)
    #expect(appearance(Pie(start: .degrees(0), end: .degrees(90)).fill(.red)).foreground == .red)
    #expect(appearance(text.clipShape(Circle())).opacity == 1)
    #expect(appearance(text.clipShape(RoundedRectangle(cornerRadius: 2))).opacity == 1)
    #expect(appearance(text.clipped()).opacity == 1)
  }

  @Test func padding() {
    #expect(appearance(text.padding()).frame == Rect(width: 4, height: 3))
    #expect(appearance(text.padding(2)).frame == Rect(width: 6, height: 5))
    #expect(appearance(text.padding(.horizontal, 3)).frame == Rect(width: 8, height: 1))
    #expect(appearance(text.padding([.top, .leading])).frame == Rect(width: 3, height: 2))
    #expect(appearance(text.padding(.bottom)).frame == Rect(width: 2, height: 2))
  }

  @Test func layering() {
    #expect(text.overlay { Circle().frame(width: 1, height: 1) }.description.contains("Circle"))
    #expect(text.background { Rectangle().fill(.red) }.description.contains("Rectangle"))
  }

  // MARK: Modifiers of one's own

  @Test func modifiers() {
    let faceUp = text.cardify(isFaceUp: true)
    #expect(faceUp.node.description.contains("Cardify"))
    #expect(text.modifier(Highlight(color: .red)).description.contains("Highlight"))
    #expect(abs(appearance(text.modifier(ShakeEffect(shakes: 1))).translation.x) < 1e-9)
    #expect(appearance(text.modifier(SkewEffect(amount: 1))).shear == 1)
    #expect(appearance(text.shake(attempts: 0)).translation == .zero)
  }

  @Test func views() {
    let badge = Badge(count: 3).rotationEffect(.degrees(10)).padding()
    #expect(badge.description.contains("text \"3\""))
    let list = Node.group {
      Badge(count: 1)
      Badge(count: 2).transition(.scale)
      if isOn { Circle() } else { Rectangle() }
    }
    #expect(list.description.contains("text \"2\""))
  }

  // MARK: Transitions

  @Test(arguments: [
    (AnyTransition.push(from: .bottom), ".push(from: .bottom)"),
    (.scale(scale: 0.5, anchor: .topLeading), ".scale(scale: 0.5, anchor: UnitPoint(x: 0, y: 0))"),
    (
      .opacity.combined(with: .move(edge: .leading)),
      ".opacity.combined(with: .move(edge: .leading))"
    ),
    (.scale.animation(.spring()), ".scale.animation(.spring)"),
    (.offset(CGSize(width: 1, height: 2)), ".offset(x: 1, y: 2)"),
    (.moveAndFade, ".asymmetric(insertion: .slide, removal: .opacity)"),
    (
      AnyTransition.asymmetric(insertion: .scale, removal: .opacity),
      ".asymmetric(insertion: .scale, removal: .opacity)"
    ),
  ])
  func transitions(_ transition: AnyTransition, _ description: String) {
    #expect(transition.description == description)
  }

  @Test func transitionsOfOnesOwn() {
    #expect(text.transition(Twirl()).description.contains("Twirl"))
    #expect(text.transition(.twirl).description.contains("Twirl"))
    #expect(
      text.transition(AnyTransition(Twirl()).combined(with: .opacity)).description.contains("Twirl")
    )
    let rotate = AnyTransition.modifier(
      active: CornerRotate(amount: -90, anchor: .topLeading),
      identity: CornerRotate(amount: 0, anchor: .topLeading))
    #expect(rotate.description.contains("CornerRotate"))
    #expect(
      AnyTransition.modifier(active: ShakeEffect(shakes: 1), identity: ShakeEffect(shakes: 0))
        .description.contains("ShakeEffect"))
  }

  // MARK: Transactions

  @Test func animationsOfValues() {
    let node =
      text
      .opacity(isOn ? 1 : 0)
      .animation(.easeInOut(duration: 0.2), value: isOn)
      .animation(nil, value: 3)
      .animation(.spring(response: 0.3, dampingFraction: 0.6), value: isOn)
      .animation(.default)
      .animation(.interactiveSpring(), value: CGFloat(2))
      .transaction { $0.animation = $0.animation?.delay(0.1) }
      .transaction { transaction in transaction.disablesAnimations = true }
      .transaction(value: isOn) { $0.animation = .linear }
    #expect(node.description.contains(".transaction(value: true)"))
  }

  @Test func aTransactionOfAValueChangesOnlyItsCommits() {
    let stage = Stage()
    func tree(_ x: Double, _ value: Int) -> Node {
      text.offset(x: x, y: 0).transaction(value: value) { $0.animation = .linear(duration: 1) }
        .id("a")
    }
    stage.commit(tree(0, 0), at: .zero)
    stage.commit(tree(4, 0), at: .zero)
    #expect(stage.x("a", at: .half) == 4)
    stage.commit(tree(8, 1), at: .zero)
    #expect(stage.x("a", at: .half) == 6)
  }

  @Test func anAnimationWithABodyReachesItsModifiersAndNothingInside() {
    let stage = Stage()
    func tree(_ value: Double) -> Node {
      text.offset(x: value, y: 0)
        .animation(.linear(duration: 1)) { $0.opacity(value).scaleEffect(1) }
        .offset(x: 0, y: value).id("a")
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), at: .zero)
    let node = stage.frame(at: .half)["a"]
    #expect(node?.opacity == 0.5 && node?.frame.x == 1 && node?.frame.y == 1)
  }

  @Test func aTransactionWithABodyLetsTheInsideKeepItsOwn() {
    let stage = Stage()
    func tree(_ value: Double) -> Node {
      Node.group { text.offset(x: value, y: 0).id("a") }
        .transaction {
          $0.animation = nil
        } body: { content in
          content.opacity(value)
        }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half)["a"]?.frame.x == 0.5)
    #expect(stage.frame(at: .half)["a"]?.opacity == 1)
  }

  @Test func matchedGeometry() {
    let node = Node.group {
      box.matchedGeometryEffect(id: "card", in: namespace)
      box.matchedGeometryEffect(id: 1, in: namespace, properties: .position)
      box.matchedGeometryEffect(
        id: "line", in: namespace, properties: .frame, anchor: .leading, isSource: false)
    }
    #expect(node.description.contains(".matchedGeometry(id: card)"))
    #expect(_namespace == _namespace)
  }

  @Test func onlyThePlaceIsSharedIfThatIsWanted() {
    let stage = Stage()
    func tree(_ isThere: Bool) -> Node {
      Node.group {
        if isThere {
          Node.fill().frame(x: 20, width: 4, height: 2)
            .matchedGeometryEffect(id: 1, in: namespace, properties: .position).id("new")
        } else {
          Node.fill().frame(x: 0, width: 8, height: 2)
            .matchedGeometryEffect(id: 1, in: namespace).id("old")
        }
      }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .zero)["new"]?.frame == Rect(x: 2, y: 0, width: 4, height: 2))
  }

  // MARK: Lists

  @Test func modifiersOfForEach() {
    struct Item: Identifiable { var id: Int }
    let items = [Item(id: 1), Item(id: 2)]
    let node = Node.group {
      Node.forEach(items) { Node.text("\($0.id)") }.transition(.scale)
      Node.forEach(items) { Node.text("\($0.id)") }.opacity(0.5).animation(.default, value: isOn)
      Node.forEach(0..<3, id: \.self) { Node.text("\($0)") }.foregroundColor(.red)
    }
    #expect(node.description.contains(".transition(.scale)"))
    #expect(node.description.contains(".foreground(#FF0000)"))
  }

  @Test func eachOfAListComesAndGoesByItsTransition() {
    let stage = Stage()
    func tree(_ items: Range<Int>) -> Node {
      Node.group {
        Node.forEach(items, id: \.self) { Node.text("\($0)") }.transition(.offset(x: 8))
      }
    }
    stage.commit(tree(0..<1), at: .zero)
    stage.commit(tree(0..<2), transaction: .linear(), at: .zero)
    #expect(Canvas(stage.frame(at: .zero), width: 10, height: 1).text == "0       1")
  }

  @Test func textThatFades() {
    #expect(text.contentTransition(.opacity).description.contains(".contentTransition(.opacity)"))
    #expect(text.contentTransition(.numericText(countsDown: true)).description.contains("numeric"))
    #expect(text.contentTransition(.interpolate).description.contains("interpolate"))
    #expect(text.contentTransition(.identity).description.contains("identity"))
  }

  // MARK: Sprites

  @MainActor
  @Test func sprites() {
    let scheduler = DispatchQueue.test
    let performer = Performer(scheduler: scheduler)
    let label = Sprite("label", performer: performer, frame: Rect(width: 8, height: 1), alpha: 0)
    label.alpha = 0.25
    #expect(label.alpha(at: .zero) == 0.25)
    var ended = 0
    let token: AnimationToken = label.animate([
      SpriteStep(duration: 2) { $0.alpha = 0.75 }, .resize(to: CGSize(width: 4, height: 1)),
    ])
    token.perform(completionHandler: { ended += 1 })
    scheduler.advance(by: .seconds(1))
    #expect(label.alpha(at: performer.now) == 0.5)
    let node = label.node(at: performer.now) { Node.text("Welcome") }
    #expect(appearance(node).opacity == 0.5)
    #expect(label.isAnimating(at: performer.now))
    scheduler.advance(by: .seconds(2))
    #expect(ended == 1 && label.alpha == 0.75 && label.frame.width == 4)
    withAnimation(.linear(duration: 1)) { label.alpha = 0 }
    scheduler.advance(by: .milliseconds(500))
    #expect(label.alpha(at: performer.now) == 0.375)
    animate([label.animate(.fadeIn())], completionHandler: { ended += 1 })
    animate(inParallel: [label.animate(.fadeOut())], completionHandler: { ended += 1 })
    scheduler.advance(by: .seconds(2))
    #expect(ended == 3)
  }

  // MARK: Geometry

  @Test func anglesAndTransforms() {
    #expect(Angle.degrees(180).radians == .pi && Angle(radians: .pi).degrees == 180)
    #expect(Angle.degrees(90) + .degrees(90) == .degrees(180))
    #expect(Angle.zero < .degrees(1))
    let transform = CGAffineTransform(translationX: 3, y: 4).rotated(by: .pi / 2)
      .scaledBy(x: 2, y: 2).translatedBy(x: 1, y: 0)
    #expect(abs(transform.tx - 3) < 1e-9 && abs(transform.ty - 6) < 1e-9)
    let back = transform.concatenating(transform.inverted())
    #expect(abs(back.a - 1) < 1e-9 && abs(back.tx) < 1e-9)
    #expect(ProjectionTransform(.identity).isIdentity && ProjectionTransform().isAffine)
  }

  @Test func anAppearanceIsItsTransform() {
    var appearance = Appearance()
    appearance.size = Size(width: 10, height: 4)
    appearance.move(x: 3, y: 2)
    appearance.rotate(degrees: 30)
    let before = appearance.transform
    let outer = CGAffineTransform(a: 2, b: 0.5, c: -0.3, d: 1, tx: 7, ty: -1)
    appearance.concatenate(outer)
    let expected = before.concatenating(outer)
    for (a, b) in [
      (appearance.transform.a, expected.a), (appearance.transform.b, expected.b),
      (appearance.transform.c, expected.c), (appearance.transform.d, expected.d),
      (appearance.transform.tx, expected.tx), (appearance.transform.ty, expected.ty),
    ] {
      #expect(abs(a - b) < 1e-9)
    }
  }
}

// MARK: - Types as sources from elsewhere write them

private struct SkewEffect: GeometryEffect {
  var amount: CGFloat

  func effectValue(size: CGSize) -> ProjectionTransform {
    ProjectionTransform(CGAffineTransform(a: 1, b: 0, c: Double(amount), d: 1, tx: 0, ty: 0))
  }
}

private struct CornerRotate: ViewModifier {
  let amount: Double
  let anchor: UnitPoint

  func body(content: Content) -> some View {
    content.rotationEffect(.degrees(amount), anchor: anchor).clipped()
  }
}

extension AnyTransition {
  fileprivate static var moveAndFade: AnyTransition {
    .asymmetric(insertion: .slide, removal: .opacity)
  }
  fileprivate static var twirl: AnyTransition { AnyTransition(Twirl()) }
}

extension View {
  fileprivate func shake(attempts: Int) -> some View {
    modifier(ShakeEffect(shakes: attempts * 2))
  }
}
