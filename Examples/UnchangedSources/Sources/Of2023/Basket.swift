import ComposableArchitecture
import OrderedCollections

// A feature in the style of the spring of 2023.

public struct Basket: ReducerProtocol {
  public struct State: Equatable {
    public var amounts: OrderedDictionary<String, Int> = [:]
    @BindingState public var note = ""
    public var path = StackState<Detail.State>()
    @PresentationState public var coupon: Coupon.State?
    public var seen: OrderedSet<String> = []
    public var total = 0

    public init() {}
  }

  public enum Action: BindableAction, Equatable {
    case add(String)
    case binding(BindingAction<State>)
    case checkOut
    case checkedOut(TaskResult<Int>)
    case coupon(PresentationAction<Coupon.Action>)
    case couponButtonTapped
    case path(StackAction<Detail.State, Detail.Action>)
    case remove(String)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.prices) var prices

  public init() {}

  public var body: some ReducerProtocolOf<Self> {
    BindingReducer()
    Reduce(self.core)
      .ifLet(\.$coupon, action: /Action.coupon) {
        Coupon()
      }
      .forEach(\.path, action: /Action.path) {
        Detail()
      }
  }

  private func core(into state: inout State, action: Action) -> EffectTask<Action> {
    switch action {
    case let .add(name):
      state.amounts[name, default: 0] += 1
      state.seen.append(name)
      return .none

    case .binding:
      return .none

    case .checkOut:
      return .task { [amounts = state.amounts] in
        try await self.clock.sleep(for: .milliseconds(300))
        return await .checkedOut(
          TaskResult {
            var total = 0
            for (name, amount) in amounts { total += try await self.prices.price(name) * amount }
            return total
          }
        )
      }
      .animation()

    case let .checkedOut(.success(total)):
      state.total = total
      return .none

    case .checkedOut(.failure):
      return .none

    case .coupon(.presented(.delegate(.redeemed))):
      state.coupon = nil
      state.total /= 2
      return .none

    case .coupon, .path:
      return .none

    case .couponButtonTapped:
      state.coupon = Coupon.State()
      return .none

    case let .remove(name):
      state.amounts[name] = nil
      return .none
    }
  }

  public struct Coupon: ReducerProtocol {
    public struct State: Equatable {
      @BindingState public var code = ""
      public init() {}
    }
    public enum Action: BindableAction, Equatable {
      case binding(BindingAction<State>)
      case delegate(Delegate)
      case redeemButtonTapped

      public enum Delegate: Equatable { case redeemed }
    }
    public var body: some ReducerProtocolOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .redeemButtonTapped:
          return state.code.isEmpty ? .none : .send(.delegate(.redeemed))
        case .binding, .delegate:
          return .none
        }
      }
    }
  }

  public struct Detail: ReducerProtocol {
    public struct State: Equatable {
      public let name: String
      public init(name: String) { self.name = name }
    }
    public enum Action: Equatable { case closeButtonTapped }
    @Dependency(\.dismiss) var dismiss
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
      switch action {
      case .closeButtonTapped:
        return .fireAndForget { await self.dismiss() }
      }
    }
  }
}

public struct PriceClient {
  public var price: @Sendable (String) async throws -> Int
}

extension PriceClient: TestDependencyKey {
  public static let testValue = Self(price: unimplemented("\(Self.self).price"))
}

extension DependencyValues {
  public var prices: PriceClient {
    get { self[PriceClient.self] }
    set { self[PriceClient.self] = newValue }
  }
}
