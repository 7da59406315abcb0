import { startThreadAhead } from './engines/flite/flite-thread.ts'
import { keepCompiledCode, restartWithMemorySettings } from './processes/node-settings.ts'

// The parent of a child process waits for its first speech. The thread starts while the other modules load.
if (process.send) {
  startThreadAhead()
  const { PARLANDO_LOCAL_DATA_FOLDER: dataFolder } = process.env
  if (dataFolder) keepCompiledCode(dataFolder)
} else restartWithMemorySettings()
const { runCommand } = await import('./run-command.ts')
await runCommand()
