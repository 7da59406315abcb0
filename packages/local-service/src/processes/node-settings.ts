import { mkdirSync } from 'node:fs'
import * as module from 'node:module'
import { join } from 'node:path'

/** The defaults of the environment for a process that makes speech. */
export const memoryEnvironment = {
  // glibc keeps freed memory in many arenas. With short-lived threads, that costs some 50 MB.
  MALLOC_ARENA_MAX: '2',
}

/**
 * The options of Node.js for such a process. Young objects get 1 MiB instead of 16 before the garbage collector runs. That saves
 * 20 MiB and costs 5 % of the processor time of speech.
 */
export const memoryOptions = ['--max-semi-space-size=1']

// Since Node.js 22.15, and not on Windows. The types are those of Node.js 20.
const { execve } = process as {
  execve?(file: string, args: readonly string[], env: NodeJS.ProcessEnv): never
}

/**
 * Begins this program again with the settings for memory, which are read only at the start. The process stays the same, with
 * its id, its streams and its exit code. Without `execve`, it continues with the defaults of Node.js.
 */
export function restartWithMemorySettings(): void {
  const hasSettings = memoryOptions.every((option) => process.execArgv.includes(option))
  if (hasSettings || !execve || process.platform === 'win32') return
  const args = [process.execPath, ...process.execArgv, ...memoryOptions, ...process.argv.slice(1)]
  execve(process.execPath, args, { ...memoryEnvironment, ...process.env })
}

// It exists since Node.js 22.1. The types are those of Node.js 20.
const { enableCompileCache } = module as { enableCompileCache?(folder: string): void }

/**
 * Keeps the compiled code of all modules that are imported from now on in the data folder, 1.5 MB. The next start takes a
 * tenth less processor time. Not in the default folder of Node.js, which is shared with other users of the machine: the
 * code in it is executed.
 */
export function keepCompiledCode(dataFolder: string): void {
  if (!enableCompileCache) return
  const folder = join(dataFolder, 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    enableCompileCache(folder)
  } catch {
    // Without write access, every start compiles the code.
  }
}
