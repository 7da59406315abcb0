// Vitest runs this file before every test file. Without isolation, modules that it imports run only once per worker.
import './record-output.ts'
import './match-patterns.ts'
