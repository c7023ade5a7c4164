// The program.
