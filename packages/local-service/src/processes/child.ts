import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { EngineError } from '../errors/engine-error.ts'
import type { StartReport } from './program.ts'

/** A running child process. It exits when this process exits. */
export interface Child<Info, Request> {
  info: Info
  /** Sends a message. A failure to send is ignored: it means that the process is ending, which `exited` reports. */
  send(request: Request): void
  readonly isAlive: boolean
  /** Resolves when the process has ended. */
  exited: Promise<void>
  end(): Promise<void>
  /** Whether this process keeps running only because the child runs. Default: yes. */
  keepParentAlive(isKept: boolean): void
}

const startLimitMs = 60_000
const maxStderrCharacters = 800

/**
 * Starts the program and resolves when it is ready.
 * @param onReport receives the messages of the program after its start.
 * @throws {Error} if it does not start. The first line of the message is the reason, the others are its output.
 */
export async function startChild<Info, Request, Report>(
  programPath: string,
  programArguments: readonly string[],
  onReport: (report: Report) => void,
  nodeOptions: readonly string[] = [],
): Promise<Child<Info, Request>> {
  const child = fork(programPath, programArguments, {
    env: withoutSecrets(process.env),
    execArgv: [...nodeOptions],
    // Structured clone, so that samples stay typed arrays.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let isAlive = true
  const exited = new Promise<void>((resolve) => {
    const exit = () => {
      isAlive = false
      resolve()
    }
    child.once('exit', exit)
    child.once('error', exit)
  })
  const end = async () => {
    isAlive = false
    child.kill('SIGKILL')
    await exited
  }
  try {
    const info = await readyInfo<Info>(child)
    child.on('message', onReport)
    return {
      info,
      send: (request) => child.send(request as object, () => {}),
      get isAlive() {
        return isAlive
      },
      exited,
      end,
      keepParentAlive(isKept) {
        const handles = [child, child.channel, child.stderr as Socket | null]
        for (const handle of handles) isKept ? handle?.ref() : handle?.unref()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * The error for callers whose program does not start. Its output, in all lines but the first, is only for the log.
 * @param name of the program. @param alternative what to use instead.
 */
export function toStartError(name: string, error: Error, alternative: string): EngineError {
  if (error instanceof EngineError) return error
  const [reason] = error.message.split('\n', 1)
  const message = `${name} does not start: ${reason}. Install it again, or use ${alternative}`
  return new EngineError('unavailable', message)
}

function readyInfo<Info>(child: ChildProcess): Promise<Info> {
  let stderr = ''
  let isStarting = true
  // Always read, or a full pipe would block the program. Kept only during the start, since later output may quote texts.
  child.stderr?.on('data', (data) => {
    if (isStarting) stderr = (stderr + data).slice(0, maxStderrCharacters)
  })
  return new Promise<Info>((resolve, reject) => {
    const fail = (reason: string) => {
      reject(new Error([reason, stderr.trim()].filter(Boolean).join('\n')))
    }
    const limit = setTimeout(() => fail(`not ready after ${startLimitMs / 1000} s`), startLimitMs)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code, signal) => fail(`it exited with ${signal ?? code}`))
    child.once('message', (message: StartReport<Info>) => {
      if (message.type === 'ready') resolve(message.info)
      else fail(message.type === 'failed' ? message.reason : 'it sent an unexpected message')
    })
    child.once('exit', () => clearTimeout(limit))
    child.once('message', () => clearTimeout(limit))
  }).finally(() => {
    isStarting = false
  })
}

/** The environment for a program of others: without the variables of the service, which may contain keys. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PARLANDO_')))
}
