// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let package = Package(
  name: "rondo",
  products: [
    .library(name: "Rondo", targets: ["Rondo"]),
    .library(name: "RondoCompatibility", targets: ["RondoCompatibility"]),
    .library(name: "RondoTestCompatibility", targets: ["RondoTestCompatibility"]),
    .library(name: "RondoEnvironment", targets: ["RondoEnvironment"]),
    .library(name: "RondoNetworking", targets: ["RondoNetworking"]),
    .library(name: "RondoRecording", targets: ["RondoRecording"]),
    .library(name: "RondoDurable", targets: ["RondoDurable"]),
    .library(name: "RondoTesting", targets: ["RondoTesting"]),
    .library(name: "RondoTestStore", targets: ["RondoTestStore"]),
    .library(name: "RondoExploration", targets: ["RondoExploration"]),
    .library(name: "RondoStage", targets: ["RondoStage"]),
    .library(name: "RondoStageTesting", targets: ["RondoStageTesting"]),
    .library(name: "RondoTerminal", targets: ["RondoTerminal"]),
    .library(name: "RondoWidgets", targets: ["RondoWidgets"]),
    .library(name: "RondoScheduling", targets: ["RondoScheduling"]),
    .library(name: "RondoAnimation", targets: ["RondoAnimation"]),
    // The home screen without its terminal, for examples that are packages of their own.
    .library(name: "RondoHomeFeature", targets: ["RondoHomeFeature"]),
    .executable(name: "rondo", targets: ["RondoCommand"]),
  ],
  targets: [
    // The rooms, ground floor first. No target depends on one that stands below it in this list.
    // What a thread knows, and questions to the concurrency runtime and to Dispatch, in C.
    .target(name: "RondoConcurrencyShims"),
    .target(name: "RondoAnimation", dependencies: ["RondoConcurrencyShims"]),
    .target(name: "RondoScheduling", dependencies: ["RondoAnimation", "RondoConcurrencyShims"]),
    .target(
      name: "Rondo", dependencies: ["RondoScheduling", "RondoAnimation", "RondoConcurrencyShims"]),
    // Spellings for sources that come over from other libraries, and from earlier versions of them.
    .target(
      name: "RondoCompatibility", dependencies: ["Rondo", "RondoScheduling", "RondoAnimation"]),
    // The network as a dependency, apart, because programs without it start faster.
    .target(name: "RondoNetworking", dependencies: ["Rondo", "RondoTransferGuard"]),
    // Checks of the answers of servers, before Foundation reads them, in C.
    .target(name: "RondoTransferGuard"),
    // Recordings of stores: their format, and running them again.
    .target(name: "RondoRecording", dependencies: ["Rondo", "RondoScheduling", "RondoAnimation"]),
    // Stores that a journal keeps, and the journal in memory.
    .target(name: "RondoDurable", dependencies: ["Rondo", "RondoScheduling"]),
    // Recordings whose lines know each other: which effect an action came from, and what it has started.
    .target(name: "RondoHistory", dependencies: ["RondoRecording"]),
    // The page of a recording, whose files C embeds in no time.
    .target(name: "RondoPage", exclude: ["page.html", "page.css", "page.js"]),
    // Looking at recordings: a page, a log, comparisons, diagrams, tests; and the program for it.
    .target(
      name: "RondoInspection",
      dependencies: ["RondoHistory", "RondoPage", "RondoRecording", "RondoScheduling"]),
    // Packages to begin with, as files.
    .target(
      name: "RondoTemplates",
      resources: ["common", "counter", "library", "terminal", "gtk", "server"].map {
        .embedInCode("Templates/\($0).template")
      }),
    .executableTarget(name: "RondoCommand", dependencies: ["RondoInspection", "RondoTemplates"]),
    .target(
      name: "RondoTestStore",
      dependencies: [
        "Rondo", "RondoRecording", "RondoScheduling", "RondoAnimation", "RondoConcurrencyShims",
      ]),
    // The spellings of tests that come over.
    .target(
      name: "RondoTestCompatibility",
      dependencies: ["RondoTestStore", "RondoCompatibility", "RondoRecording", "RondoScheduling"]),
    // Reducers with an environment, as sources had them until 2022.
    .target(
      name: "RondoEnvironment",
      dependencies: [
        "RondoTestCompatibility", "RondoCompatibility", "RondoTestStore", "Rondo",
        "RondoScheduling",
      ]),
    // The search for an order in which a feature fails. It knows no test library.
    .target(name: "RondoExploration", dependencies: ["RondoTestStore"]),
    .target(name: "RondoTesting", dependencies: ["RondoTestStore", "RondoExploration"]),
    .target(name: "RondoStage", dependencies: ["RondoAnimation", "RondoScheduling"]),
    // Frames as files that tests compare with.
    .target(name: "RondoStageTesting", dependencies: ["RondoStage", "RondoScheduling"]),
    .target(name: "RondoTerminal", dependencies: ["RondoStage"]),
    // Text fields, lists, dialogs and what else a terminal program is made of, as features.
    .target(name: "RondoWidgets", dependencies: ["Rondo", "RondoStage", "RondoTerminal"]),

    .target(name: "RondoSeededRandomness", path: "Tests/SeededRandomness"),
    // Programs that tests run, on terminals too, and folders for them.
    .target(name: "RondoProcesses", path: "Tests/Processes"),
    .testTarget(
      name: "RondoAnimationTests", dependencies: ["RondoAnimation", "RondoSeededRandomness"]),
    .testTarget(
      name: "RondoSchedulingTests",
      dependencies: [
        "RondoScheduling", "RondoCompatibility", "RondoSeededRandomness", "RondoProcesses",
        "loop-program",
      ]),
    // A program with a main loop of its own, for tests of what serves the main queue there.
    .executableTarget(
      name: "loop-program", dependencies: ["RondoScheduling"], path: "Tests/LoopProgram"),
    .target(
      name: "RondoRuntimeTestSupport", dependencies: ["Rondo", "RondoSeededRandomness"],
      path: "Tests/RuntimeTestSupport"),
    // Reads the compiler's index, in C.
    .target(name: "RondoIndexReading", path: "Tests/IndexReading"),
    .testTarget(
      name: "RondoTests",
      dependencies: [
        "Rondo", "RondoCompatibility", "RondoRuntimeTestSupport", "RondoSeededRandomness",
        "RondoIndexReading", "RondoProcesses",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "RondoTesting", "RondoTestStore", "RondoDurable", "Rondo", "RondoScheduling",
        "RondoConcurrencyShims", "RondoRuntimeTestSupport", "RondoSeededRandomness",
      ]),
    .testTarget(
      name: "RondoCompositionTests",
      dependencies: [
        "Rondo", "RondoCompatibility", "RondoRuntimeTestSupport", "RondoSeededRandomness",
        "RondoProcesses", "live-program",
      ]),
    // A live program for tests of what only a whole process shows.
    .executableTarget(
      name: "live-program",
      dependencies: [
        "Rondo", "RondoCompatibility", "RondoNetworking", "RondoRuntimeTestSupport",
      ],
      path: "Tests/LiveProgram"),
    .testTarget(
      name: "RondoRecordingTests",
      dependencies: [
        "RondoRecording", "RondoTesting", "Rondo", "RondoCompatibility", "RondoRuntimeTestSupport",
        "RondoSeededRandomness", "RondoProcesses",
      ]),
    .testTarget(
      name: "RondoDurableTests",
      dependencies: ["RondoDurable", "RondoTesting", "Rondo", "RondoSeededRandomness"]),
    .testTarget(
      name: "RondoTestingTests",
      dependencies: [
        "RondoTesting", "RondoTestCompatibility", "RondoEnvironment", "RondoSeededRandomness",
      ]),
    .testTarget(name: "RondoTestingDefaultsTests", dependencies: ["RondoTesting"]),
    .testTarget(
      name: "RondoExplorationTests",
      dependencies: ["RondoTesting", "RondoExploration", "RondoSeededRandomness", "RondoProcesses"]),
    .testTarget(
      name: "RondoInspectionTests",
      dependencies: [
        "RondoInspection", "RondoHistory", "RondoRecording", "RondoCommand", "RondoTesting",
        "Rondo",
        "RondoSeededRandomness", "RondoProcesses",
      ]),
    .testTarget(
      name: "RondoCommandTests",
      dependencies: ["RondoCommand", "RondoInspection", "RondoTemplates", "RondoProcesses"]),
    .testTarget(
      name: "RondoStageTests",
      dependencies: [
        "RondoStage", "RondoStageTesting", "Rondo", "RondoCompatibility", "RondoSeededRandomness",
        "RondoProcesses",
      ], exclude: ["Frames"]),
    .executableTarget(
      name: "terminal-probe", dependencies: ["RondoTerminal"], path: "Tests/TerminalProbe"),
    .testTarget(
      name: "RondoTerminalTests",
      dependencies: [
        "RondoTerminal", "RondoProcesses", "RondoSeededRandomness", "terminal-probe", "dice",
      ]),
    .testTarget(
      name: "RondoWidgetsTests",
      dependencies: ["RondoWidgets", "RondoTesting", "RondoSeededRandomness"]),

    // The examples that are part of the package; others are packages of their own.
    .target(
      name: "RondoHomeFeature",
      dependencies: ["Rondo", "RondoNetworking"],
      path: "Examples/isowords-home/HomeFeature"
    ),
    .target(
      name: "RondoHomeScreen",
      dependencies: ["RondoHomeFeature", "Rondo", "RondoStage", "RondoTerminal"],
      path: "Examples/isowords-home/HomeScreen"
    ),
    .target(
      name: "RondoHomeProgram",
      dependencies: [
        "RondoHomeFeature", "RondoHomeScreen", "RondoHistory", "RondoRecording", "RondoScheduling",
        "RondoStage", "RondoTerminal",
      ],
      path: "Examples/isowords-home/HomeProgram"
    ),
    .executableTarget(
      name: "isowords-home",
      dependencies: ["RondoHomeProgram"],
      path: "Examples/isowords-home/isowords-home"
    ),
    .testTarget(
      name: "HomeFeatureTests",
      dependencies: [
        "RondoHomeFeature", "RondoHomeScreen", "RondoHomeProgram", "isowords-home",
        "RondoRecording", "RondoTesting", "RondoTerminal", "RondoProcesses",
        "RondoSeededRandomness",
      ]
    ),
    .target(
      name: "RondoStageExamples",
      dependencies: ["RondoStage", "RondoScheduling"],
      path: "Examples/stage/StageExamples"
    ),
    .executableTarget(
      name: "dice",
      dependencies: ["RondoTerminal"],
      path: "Examples/terminal/dice"
    ),
    .executableTarget(
      name: "tasks",
      dependencies: ["RondoWidgets"],
      path: "Examples/terminal/tasks"
    ),
    .testTarget(
      name: "TasksTests",
      dependencies: ["tasks", "RondoWidgets", "RondoTesting", "RondoProcesses"]),
    .executableTarget(
      name: "stage-examples",
      dependencies: ["RondoStageExamples", "RondoTerminal"],
      path: "Examples/stage/stage-examples"
    ),
    .testTarget(
      name: "StageExamplesTests",
      dependencies: ["RondoStageExamples", "RondoProcesses", "stage-examples"],
      exclude: ["Pictures"]
    ),

    // The benchmark program.
    .target(name: "RondoAllocationCounter", path: "Benchmarks/AllocationCounter"),
    .target(name: "RondoBenchmarkCounts", path: "Benchmarks/BenchmarkCounts"),
    .testTarget(name: "BenchmarkCountsTests", dependencies: ["RondoBenchmarkCounts"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Rondo", "RondoTesting", "RondoRecording", "RondoStage", "RondoHomeProgram",
        "RondoHomeFeature",
        "RondoAllocationCounter", "RondoBenchmarkCounts",
      ],
      path: "Benchmarks/benchmarks", plugins: ["NestedPlugin"]
    ),
    // Ten features, each in the one before, for its workloads.
    .executableTarget(name: "nested-features", path: "Benchmarks/NestedFeatures"),
    .plugin(
      name: "NestedPlugin", capability: .buildTool(), dependencies: ["nested-features"],
      path: "Benchmarks/NestedPlugin"),
  ]
)

// MARK: Macros

// The macros stand on the SwiftSyntax that is part of the toolchain, so that Rondo needs no package.
// Where a toolchain lacks it, or where `RONDO_WITHOUT_MACROS` is set, Rondo is built without them.
if let modules = swiftSyntaxModules() {
  let compile: [SwiftSetting] = [.unsafeFlags(["-I", modules])]
  let link: [LinkerSetting] = [
    .unsafeFlags(["-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules])
  ]
  package.targets += [
    // Not optimized: that takes longer than all expansions of a program.
    .macro(
      name: "RondoMacros", swiftSettings: compile + [.unsafeFlags(["-Onone"])], linkerSettings: link
    ),
    // Tests that depend on a macro are built for the host, all of them, with a second copy of each
    // library. So the link `Macros` makes the macros' sources a part of these tests.
    .testTarget(
      name: "RondoMacrosTests",
      dependencies: [
        "Rondo", "RondoCompatibility", "RondoTestStore", "RondoExploration", "RondoProcesses",
      ],
      exclude: ["Mistakes", "OriginalNames.txt", "Macros/Plugin.swift"], swiftSettings: compile,
      linkerSettings: link),
  ]
  for target in package.targets
  where ["Rondo", "RondoCompatibility", "benchmarks"].contains(target.name) {
    target.swiftSettings = [.define("RONDO_MACROS")]
    if target.name == "Rondo" { target.dependencies.append("RondoMacros") }
  }
} else {
  print("Built without macros: no SwiftSyntax in the toolchain, or RONDO_WITHOUT_MACROS is set.")
  // The libraries need no macros. These use them, or what does.
  let users: Set = [
    "RondoHomeFeature", "RondoHomeScreen", "RondoHomeProgram", "isowords-home", "HomeFeatureTests",
    "RondoTestingTests", "RondoWidgetsTests", "tasks", "TasksTests", "benchmarks",
  ]
  package.targets.removeAll { users.contains($0.name) }
  package.products.removeAll { users.contains($0.name) }
}

// MARK: Settings of a build

// `RONDO_TESTS=ConformanceTests,RondoTests` builds only these test targets and what they need.
if let names = Context.environment["RONDO_TESTS"] {
  var kept = names.split(separator: ",").map(String.init)
  var needed: Set<String> = []
  while let name = kept.popLast() {
    guard needed.insert(name).inserted else { continue }
    guard let target = package.targets.first(where: { $0.name == name }) else {
      print("RONDO_TESTS names '\(name)', and there is no target of this name.")
      exit(64)
    }
    for case .byNameItem(let name, _) in target.dependencies { kept.append(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let library = (product as? Product.Library)?.targets
    let targets = library ?? (product as? Product.Executable)?.targets ?? []
    return !targets.allSatisfy(needed.contains)
  }
}

// Asynchronous functions of examples run on the actor of their caller, which is the default of new modules.
for target in package.targets where target.path?.hasPrefix("Examples/") == true {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}

// With `RONDO_STRICT` a warning is an error. Packages that depend on this one are built without it.
if Context.environment["RONDO_STRICT"] != nil {
  for target in package.targets where target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}

/// The folder in which the toolchain keeps SwiftSyntax, if it has all that the macros need.
///
/// The toolchain is the one that runs this manifest: `PackageDescription` was loaded from it. Where
/// that cannot be seen it is the first one on the search path.
func swiftSyntaxModules() -> String? {
  let environment = ProcessInfo.processInfo.environment
  guard environment["RONDO_WITHOUT_MACROS"] == nil else { return nil }

  // Read to the end: the file has no size, and a single read stops after a page.
  let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
  let manifestAPI = "/lib/swift/pm/ManifestAPI/libPackageDescription.so"
  let running = String(decoding: maps ?? Data(), as: UTF8.self)
    .split(separator: "\n")
    .filter { $0.hasSuffix(manifestAPI) }
    .map { String($0.drop { $0 != "/" }.dropLast(manifestAPI.count)) }
  let searched = (environment["PATH"] ?? "")
    .split(separator: ":")
    .map { "\($0)/swiftc" }
    .filter(FileManager.default.isExecutableFile)
    .map { compiler in
      let resolved = URL(filePath: compiler).resolvingSymlinksInPath()
      return resolved.deletingLastPathComponent().deletingLastPathComponent().path
    }

  return (running + searched).map { "\($0)/lib/swift/host" }.first { folder in
    ["SwiftSyntaxMacroExpansion", "SwiftCompilerPluginMessageHandling"].allSatisfy { module in
      ["\(module).swiftmodule", "lib\(module).so"].allSatisfy {
        FileManager.default.fileExists(atPath: "\(folder)/\($0)")
      }
    }
  }
}
