// Vitest runs this file before every test file. Without isolation, modules that this file imports run only once per worker.
import './record-child-output.ts'
import './compare-bytes.ts'
import './match-patterns.ts'
import './lower-priority.ts'
import './wait-longer.ts'
