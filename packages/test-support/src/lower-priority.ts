import { setPriority } from 'node:os'

// Programs that a test starts inherit this priority, which can only be raised again with privileges.
setPriority(Number(process.env['PARLANDO_TEST_NICENESS'] ?? 10))
