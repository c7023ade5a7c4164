// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "gtk-home",
  products: [.executable(name: "gtk-home", targets: ["gtk-home"])],
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    // A stage in a window of GTK. It knows nothing of the home screen.
    .target(
      name: "GTKStage",
      dependencies: [
        "CGTK", .product(name: "RondoStage", package: "rondo"),
        .product(name: "RondoScheduling", package: "rondo"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]
    ),
    // The home screen as a tree of nodes and controls.
    .target(
      name: "HomeWindow",
      dependencies: [
        "GTKStage", .product(name: "RondoHomeFeature", package: "rondo"),
        .product(name: "Rondo", package: "rondo"),
        .product(name: "RondoRecording", package: "rondo"),
      ]
    ),
    .executableTarget(
      name: "gtk-home", dependencies: ["HomeWindow", "GTKStage"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    // The nodes of '--moving', drawn without Rondo, to compare with.
    .executableTarget(name: "frame-floor", dependencies: ["CGTK"]),
    .testTarget(
      name: "HomeWindowTests",
      dependencies: ["HomeWindow", .product(name: "RondoTesting", package: "rondo")],
      exclude: ["Golden"]
    ),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
