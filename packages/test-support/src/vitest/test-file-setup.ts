// Vitest runs this file before every test file. Without isolation, modules that this file imports run only once per worker.
import { getPriority, setPriority } from 'node:os'
import '../secrets/record-child-output.ts'
import './equality.ts'
import './wait-longer.ts'

// Programs that a test starts inherit this niceness, which only root can lower again. Who starts the tests may want a higher one.
setPriority(Math.max(getPriority(), Number(process.env['PARLANDO_TEST_NICENESS'] ?? 10)))
