// Vitest runs this file before every test file. Without isolation, modules that this file imports run only once per worker.
import { setPriority } from 'node:os'
import '../secrets/record-child-output.ts'
import './equality.ts'
import './wait-longer.ts'

// Programs that a test starts inherit this priority, which can only be raised again with privileges.
setPriority(Number(process.env['PARLANDO_TEST_NICENESS'] ?? 10))
