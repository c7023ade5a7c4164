// Folders that Foundation names on other systems only.

import Foundation

#if !canImport(Darwin)
  extension URL {
    /// The user's documents.
    @_disfavoredOverload
    public static var documentsDirectory: URL { folder(.documentDirectory, orElse: "Documents") }

    /// The folder for data that the program keeps for the user.
    @_disfavoredOverload
    public static var applicationSupportDirectory: URL {
      folder(.applicationSupportDirectory, orElse: ".local/share")
    }

    /// The folder for data that the program can make again.
    @_disfavoredOverload
    public static var cachesDirectory: URL { folder(.cachesDirectory, orElse: ".cache") }

    private static func folder(
      _ folder: FileManager.SearchPathDirectory, orElse path: String
    ) -> URL {
      FileManager.default.urls(for: folder, in: .userDomainMask).first
        ?? URL.homeDirectory.appending(path: path)
    }
  }
#endif
