import { startThreadAhead } from './engines/flite/thread-ahead.ts'

// The parent of a child process waits for its first speech. The thread starts while the other modules load.
if (process.send) startThreadAhead()
const { runCommand } = await import('./run-command.ts')
await runCommand()
