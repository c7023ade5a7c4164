// The macros that the compiler finds here.

import SwiftSyntaxMacros

/// The macros, by the type names that their declarations give in `#externalMacro`.
var macros: [String: any Macro.Type] {
  [
    "CaseBindableMacro": CaseBindableMacro.self,
    "CasePathableMacro": CasePathableMacro.self,
    "DependencyClientMacro": DependencyClientMacro.self,
    "DependencyEndpointMacro": DependencyEndpointMacro.self,
    "DependencyEntryMacro": DependencyEntryMacro.self,
    "MarkerMacro": MarkerMacro.self,
    "ObservableStateMacro": ObservableStateMacro.self,
    "ObservationStateIgnoredMacro": ObservationStateIgnoredMacro.self,
    "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
    "PresentsMacro": PresentsMacro.self,
    "ReducerMacro": ReducerMacro.self,
    "ViewActionMacro": ViewActionMacro.self,
  ]
}
