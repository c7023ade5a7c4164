// The home screen in a window of GTK.
//
//   gtk-home --help

Program.run(Array(CommandLine.arguments.dropFirst()))
