// The cube of 3 × 3 × 3 that a game is played on.

/// The cubes of a game, indexed by x, y and z: `puzzle[1][0][2]`.
public typealias Puzzle = Three<Three<Three<Cube>>>

/// One of the 27 cubes, with the three faces that can be seen.
public struct Cube: Codable, Equatable, Sendable {
  /// The face on the left.
  public var left: CubeFace
  /// The face on the right.
  public var right: CubeFace
  /// The face on the top.
  public var top: CubeFace

  /// A cube; each parameter is the property of its name.
  public init(left: CubeFace, right: CubeFace, top: CubeFace) {
    self.left = left
    self.right = right
    self.top = top
  }

  /// The face on a side.
  public subscript(side: CubeFace.Side) -> CubeFace {
    switch side {
    case .left: left
    case .right: right
    case .top: top
    }
  }
}

/// A side of a cube: a character, and how often words have gone through it.
public struct CubeFace: Equatable, Sendable {
  /// Which of a cube's three visible faces.
  public enum Side: String, Choice {
    /// The face on the left.
    case left
    /// The face on the right.
    case right
    /// The face on the top.
    case top
  }

  /// `A` to `Z`, or `QU`.
  public var letter: String

  /// From 0 to 3. A face that has been used three times takes its cube away.
  public var useCount: Int

  /// A face; each parameter is the property of its name.
  public init(letter: String, useCount: Int = 0) {
    self.letter = letter
    self.useCount = useCount
  }
}

extension CubeFace: Codable {
  private enum CodingKeys: CodingKey {
    case letter, useCount
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    letter = try container.decode(String.self, forKey: .letter, expecting: "A to Z, or QU") {
      $0 == "QU" || $0.unicodeScalars.count == 1 && ("A"..."Z").contains($0)
    }
    useCount = try container.decode(Int.self, forKey: .useCount, expecting: "0 to 3") {
      (0...3).contains($0)
    }
  }
}

/// The place of a cube in the puzzle. Each coordinate is 0, 1 or 2.
public struct CubeIndex: Hashable, Sendable {
  /// The first index in the puzzle.
  public var x: Int
  /// The second index in the puzzle.
  public var y: Int
  /// The third index in the puzzle.
  public var z: Int

  /// A position; each parameter is the property of its name.
  public init(x: Int, y: Int, z: Int) {
    self.x = x
    self.y = y
    self.z = z
  }
}

extension CubeIndex: Codable {
  private enum CodingKeys: CodingKey {
    case x, y, z
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let coordinate = { key in
      try container.decode(Int.self, forKey: key, expecting: "0, 1 or 2") { (0...2).contains($0) }
    }
    try self.init(x: coordinate(.x), y: coordinate(.y), z: coordinate(.z))
  }
}

/// One face in the puzzle: the cell that a word goes through.
public struct Cell: Codable, Hashable, Sendable {
  /// The position of the cube.
  public var index: CubeIndex
  /// The face of the cube.
  public var side: CubeFace.Side

  /// A face of a cube.
  public init(index: CubeIndex, side: CubeFace.Side) {
    self.index = index
    self.side = side
  }
}

extension Puzzle {
  /// The cube at an index.
  public subscript(index: CubeIndex) -> Cube {
    get { self[index.x][index.y][index.z] }
    set { self[index.x][index.y][index.z] = newValue }
  }

  /// The characters along some cells.
  public func word(_ cells: [Cell]) -> String {
    cells.map { self[$0.index][$0.side].letter }.joined()
  }
}
