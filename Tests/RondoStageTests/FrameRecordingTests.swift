// Vector pictures: nothing is rounded to cells, and the same frames give the same bytes.

import FoundationXML
import Foundation
import RondoStage
import Testing

@Suite struct FrameRecordingTests {
  private func recorded(_ node: (Double) -> Node) -> String {
    let stage = Stage()
    stage.commit(node(0), at: .zero)
    stage.commit(node(1), transaction: .linear(), at: .zero)
    var recording = FrameRecording(width: 20, height: 10)
    for index in 0...10 { recording.add(stage.frame(at: .milliseconds(100) * index)) }
    return recording.animatedSVG(pause: .zero)
  }

  private var picture: String {
    recorded { value in
      Node.group {
        Rectangle().fill(.red).frame(x: 1, y: 1, width: 4, height: 2)
          .rotationEffect(.degrees(90 * value))
        Node.text("a < b").offset(x: value, y: 5).opacity(1 - 0.5 * value)
        Circle().strokeBorder(.blue, lineWidth: 0.5)
          .frame(width: 4 + 4 * value, height: 4 + 4 * value).offset(x: 10, y: 2)
        Node.group { Node.fill().frame(width: 9, height: 1) }.frame(width: 3, height: 1).clipped()
      }
    }
  }

  @Test func thePictureIsXMLAndTheSameEveryTime() {
    #expect(XMLParser(data: Data(picture.utf8)).parse())
    #expect(picture == picture)
    #expect(picture.contains("a &lt; b"))
  }

  @Test func thePictureIsXMLWhateverTheTexts() {
    let text = recorded { _ in
      Node.text("\u{1B}]0;x\u{7}\r\nb\tc\u{202E}\u{FFFF}\u{C}d")
    }
    #expect(XMLParser(data: Data(text.utf8)).parse())
    let lines = text.matches(of: /<text[^>]*>([^<]*)<\/text>/).map { String($0.1) }
    #expect(lines == [" ]0;x ", "b c  ", "d"])
  }

  @Test func thingsMoveByPartsOfACellTurnAndFade() {
    let tenths = (0...10).map { "\($0 * 9)" }.joined(separator: ";")
    #expect(picture.contains("type=\"rotate\"") && picture.contains("values=\"\(tenths)\""))
    // A text of five cells, whose centre moves from 25 to 35 units.
    #expect(picture.contains("values=\"25 55;26 55;27 55"))
    #expect(picture.contains("values=\"1;0.95;0.9"))
    #expect(picture.contains("attributeName=\"d\""))
    #expect(picture.contains("<clipPath"))
  }

  @Test func whatComesAndGoesIsInvisibleOtherwise() {
    let text = recorded { value in
      Node.group { if value > 0 { Node.text("new").transition(.opacity) } }
    }
    #expect(text.contains("opacity=\"0\"") && text.contains("values=\"0;0.1;0.2"))
  }

  @Test func aThingThatComesIsAboveTheOneThatIsDrawnBeforeIt() {
    let stage = Stage()
    var recording = FrameRecording(width: 20, height: 1)
    for (index, texts) in ["bd", "abd", "abcde", "e", "fe"].enumerated() {
      stage.commit(
        Node.group { texts.map { Node.text(String($0)).id($0) } }, at: .seconds(index))
      recording.add(stage.frame(at: .seconds(index)))
    }
    let order = recording.animatedSVG().matches(of: /<text[^>]*>([^<]*)<\/text>/)
    #expect(order.map { String($0.1) }.joined() == "fabcde")
  }

  @Test func aShapeInsideOfAnotherShowsWhatIsInsideOfBoth() throws {
    let text = recorded { value in
      Node.group {
        Node.group {
          Node.fill().frame(width: 20, height: 10)
        }
        .frame(x: 2 * value, width: 8, height: 4).clipShape(Circle())
      }
      .frame(width: 5, height: 10).clipped()
    }
    let paths = text.matches(of: /<clipPath id="([^"]+)"( clip-path="url\(#([^"]+)\)")?>/)
    #expect(paths.count == 2)
    let outer = try #require(paths.first { $0.3 == nil })
    let inner = try #require(paths.first { $0.3 != nil })
    #expect(inner.3 == outer.1)
    #expect(text.contains("<g clip-path=\"url(#\(inner.1))\""))
    // The circle moves, the rectangle around it does not.
    #expect(text.contains("M0 0L50 0L50 100L0 100Z"))
    #expect(XMLParser(data: Data(text.utf8)).parse())
  }

  @Test func everyClipHasANameOfItsOwn() {
    let stage = Stage()
    var recording = FrameRecording(width: 20, height: 10)
    for second in 0...1 {
      let card = Node.group { Node.text("\(second)").background(.red) }
      stage.commit(
        card.frame(x: Double(second), width: 2, height: 1).clipped(), at: .seconds(second))
      recording.add(stage.frame(at: .seconds(second)))
    }
    let text = recording.animatedSVG()
    let names = text.matches(of: /<clipPath id="([^"]+)"/).map { String($0.1) }
    let used = text.matches(of: /url\(#([^)]+)\)/).map { String($0.1) }
    // Two texts, and what is behind both.
    #expect(names.count == 3 && Set(names).count == 3)
    #expect(used == names)
  }

  @Test func numbersThatAreNoneMakeNoTrap() {
    let text = recorded { value in
      Node.fill().frame(x: value / 0, y: .infinity * value, width: 1e300, height: 1)
        .rotation(degrees: value / 0).scale(x: 1e300, y: -1e300)
    }
    for bad in ["\"nan", " nan", "(nan", "\"inf", " inf", "(inf"] { #expect(!text.contains(bad)) }
  }
}
