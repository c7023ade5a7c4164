// Actions as JSON: `{"matchTapped": "match-1"}`, `{"onAppear": true}`,
// `{"matchesLoaded": {"failure": …}}`.

/// The names of the actions, which are the keys.
private enum ActionKey: String, CodingKey {
  case onAppear, onDisappear, refresh, dayChanged
  case savedGamesLoaded, savedGamesSaved, authenticationResponse, dailyChallengeResponse
  case weekInReviewResponse, matchesLoaded, dailyChallengeStarted, turnEvent
  case dailyChallengeTapped, soloTapped, matchTapped, settingsTapped, leaderboardTapped
  case startDailyChallenge, deleteMatch, pokeTapped, dismissDestination
}

extension HomeAction: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ActionKey.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "expected the name of one action")
      )
    }
    func value<Value: Decodable>() throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    func answer<Value: Codable, Failure: Codable & Error>() throws -> Result<Value, Failure> {
      try container.decode(RecordedResult<Value, Failure>.self, forKey: key).result
    }
    self =
      switch key {
      case .onAppear: .onAppear
      case .onDisappear: .onDisappear
      case .refresh: .refresh
      case .dayChanged: .dayChanged
      case .savedGamesLoaded: .savedGamesLoaded(try answer())
      case .savedGamesSaved: .savedGamesSaved(try answer())
      case .authenticationResponse: .authenticationResponse(try answer())
      case .dailyChallengeResponse: .dailyChallengeResponse(try answer())
      case .weekInReviewResponse: .weekInReviewResponse(try answer())
      case .matchesLoaded: .matchesLoaded(try answer())
      case .dailyChallengeStarted: .dailyChallengeStarted(try answer())
      case .turnEvent: .turnEvent(try value())
      case .dailyChallengeTapped: .dailyChallengeTapped
      case .soloTapped: .soloTapped
      case .matchTapped: .matchTapped(try value())
      case .settingsTapped: .settingsTapped
      case .leaderboardTapped: .leaderboardTapped
      case .startDailyChallenge: .startDailyChallenge(try value())
      case .deleteMatch: .deleteMatch(try value())
      case .pokeTapped: .pokeTapped(try value())
      case .dismissDestination: .dismissDestination
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ActionKey.self)
    func encode(_ value: some Encodable, _ key: ActionKey) throws {
      try container.encode(value, forKey: key)
    }
    func encode<Value: Codable, Failure: Codable & Error>(
      answer: Result<Value, Failure>,
      _ key: ActionKey
    ) throws {
      try container.encode(RecordedResult(answer), forKey: key)
    }
    switch self {
    case .onAppear: try encode(true, .onAppear)
    case .onDisappear: try encode(true, .onDisappear)
    case .refresh: try encode(true, .refresh)
    case .dayChanged: try encode(true, .dayChanged)
    case .savedGamesLoaded(let answer): try encode(answer: answer, .savedGamesLoaded)
    case .savedGamesSaved(let answer): try encode(answer: answer, .savedGamesSaved)
    case .authenticationResponse(let answer):
      try encode(answer: answer, .authenticationResponse)
    case .dailyChallengeResponse(let answer):
      try encode(answer: answer, .dailyChallengeResponse)
    case .weekInReviewResponse(let answer): try encode(answer: answer, .weekInReviewResponse)
    case .matchesLoaded(let answer): try encode(answer: answer, .matchesLoaded)
    case .dailyChallengeStarted(let answer): try encode(answer: answer, .dailyChallengeStarted)
    case .turnEvent(let event): try encode(event, .turnEvent)
    case .dailyChallengeTapped: try encode(true, .dailyChallengeTapped)
    case .soloTapped: try encode(true, .soloTapped)
    case .matchTapped(let id): try encode(id, .matchTapped)
    case .settingsTapped: try encode(true, .settingsTapped)
    case .leaderboardTapped: try encode(true, .leaderboardTapped)
    case .startDailyChallenge(let gameMode): try encode(gameMode, .startDailyChallenge)
    case .deleteMatch(let id): try encode(id, .deleteMatch)
    case .pokeTapped(let id): try encode(id, .pokeTapped)
    case .dismissDestination: try encode(true, .dismissDestination)
    }
  }
}

/// An answer as JSON: `{"success": …}` or `{"failure": …}`.
private enum RecordedResult<Success: Codable, Failure: Codable & Error>: Codable {
  case success(Success)
  case failure(Failure)

  private enum CodingKeys: CodingKey {
    case success, failure
  }

  init(_ result: Result<Success, Failure>) {
    switch result {
    case .success(let value): self = .success(value)
    case .failure(let error): self = .failure(error)
    }
  }

  var result: Result<Success, Failure> {
    switch self {
    case .success(let value): .success(value)
    case .failure(let error): .failure(error)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.success) {
      self = .success(try container.decode(Success.self, forKey: .success))
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .failure))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .success(let value): try container.encode(value, forKey: .success)
    case .failure(let error): try container.encode(error, forKey: .failure)
    }
  }
}
