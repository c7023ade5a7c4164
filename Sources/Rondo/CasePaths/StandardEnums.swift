// Case paths of the standard library's enums.

extension Optional: CasePathable {
  /// The case paths of an optional. Members of the wrapped enum lead through `some`.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The path to `none`.
    public var none: AnyCasePath<Optional, Void> {
      AnyCasePath(embed: { .none }, extract: { $0 == nil ? () : nil })
    }

    /// The path to `some`.
    public var some: AnyCasePath<Optional, Wrapped> {
      AnyCasePath(embed: { .some($0) }, extract: { $0 })
    }

    /// A case of the wrapped enum.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Wrapped.AllCasePaths, AnyCasePath<Wrapped, Member>>
    ) -> AnyCasePath<Optional, Member> where Wrapped: CasePathable {
      some.appending(path: Wrapped.allCasePaths[keyPath: keyPath])
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Optional: CasePathIterable {}

extension Optional.AllCasePaths: CasePathReflectable, Sequence {
  public subscript(root: Wrapped?) -> PartialCaseName<Wrapped?> {
    root == nil ? \.none : \.some
  }

  public func makeIterator() -> some IteratorProtocol<PartialCaseName<Wrapped?>> {
    [\.none, \.some].makeIterator()
  }
}

extension Result: CasePathable {
  /// The case paths of a result.
  public struct AllCasePaths: Sendable {
    /// The path to `success`.
    public var success: AnyCasePath<Result, Success> {
      AnyCasePath(embed: { .success($0) }) {
        if case .success(let value) = $0 { value } else { nil }
      }
    }

    /// The path to `failure`.
    public var failure: AnyCasePath<Result, Failure> {
      AnyCasePath(embed: { .failure($0) }) {
        if case .failure(let error) = $0 { error } else { nil }
      }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Result: CasePathIterable {}

extension Result.AllCasePaths: CasePathReflectable, Sequence {
  public subscript(root: Result) -> PartialCaseName<Result> {
    switch root {
    case .success: \.success
    case .failure: \.failure
    }
  }

  public func makeIterator() -> some IteratorProtocol<PartialCaseName<Result>> {
    [\.success, \.failure].makeIterator()
  }
}

extension Never: CasePathable {
  /// The case paths of an enum without cases.
  public struct AllCasePaths: Sendable {}

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
