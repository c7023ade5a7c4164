// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sdl-ball",
  dependencies: [
    .package(name: "rondo", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CSDL", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
    .executableTarget(
      name: "sdl-ball",
      dependencies: [
        "CSDL", .product(name: "Rondo", package: "rondo"),
        .product(name: "RondoStage", package: "rondo"),
        .product(name: "RondoScheduling", package: "rondo"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
