import { type ChildProcess, fork } from 'node:child_process'
import type { Sound } from '../engine.ts'
import type { FromParent, FromProgram } from './program.ts'

/** A running child process that speaks one phrase at a time. It exits when this process exits. */
export interface SpeakerProcess<Info, Phrase> {
  info: Info
  /**
   * @returns by how much its memory has grown since it was ready.
   * @throws {Error} if it rejects the phrase or ends while it speaks.
   */
  speak(phrase: Phrase, onSound: (sound: Sound) => void): Promise<{ grownBytes: number }>
  /** Asks the program to end the running phrase early. */
  cancel(): void
  readonly isAlive: boolean
  end(): Promise<void>
}

const startLimitMs = 60_000
const maxStderrCharacters = 800

/**
 * Starts the program and resolves when it is ready.
 * @throws {Error} if it does not start. The first line of the message is the reason, the others are its output.
 */
export async function startSpeakerProcess<Info, Phrase>(
  programPath: string,
  programArguments: readonly string[],
): Promise<SpeakerProcess<Info, Phrase>> {
  const child = fork(programPath, programArguments, {
    env: withoutSecrets(process.env),
    execArgv: [],
    // Structured clone, so that samples stay typed arrays.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const end = async () => {
    child.kill('SIGKILL')
    await exited
  }
  try {
    const info = await readyInfo<Info>(child)
    return connect<Info, Phrase>({ child, exited, info, end })
  } catch (error) {
    await end()
    throw error
  }
}

/** Removes the variables of the service, which may contain keys. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PARLANDO_')))
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
    child.once('message', (message: FromProgram<Info>) => {
      if (message.type === 'ready') resolve(message.info)
      else fail(message.type === 'failed' ? message.reason : 'it sent an unexpected message')
    })
    child.once('exit', () => clearTimeout(limit))
    child.once('message', () => clearTimeout(limit))
  }).finally(() => {
    isStarting = false
  })
}

function connect<Info, Phrase>(started: {
  child: ChildProcess
  exited: Promise<void>
  info: Info
  end(): Promise<void>
}): SpeakerProcess<Info, Phrase> {
  const { child, exited, info, end } = started
  let isAlive = true
  let onMessage: ((message: FromProgram<Info>) => void) | undefined
  const send = (message: FromParent<Phrase>) => {
    // A failure to send is ignored: it means that the process is ending, which its exit reports.
    child.send(message, () => {})
  }
  child.on('message', (message: FromProgram<Info>) => onMessage?.(message))
  void exited.then(() => {
    isAlive = false
    onMessage?.({ type: 'failed', reason: 'its process ended' })
  })
  return {
    info,
    end,
    speak: (phrase, onSound) =>
      new Promise((resolve, reject) => {
        if (!isAlive) return reject(new Error('its process has ended'))
        onMessage = (message) => {
          if (message.type === 'sound') return onSound(message.sound)
          onMessage = undefined
          if (message.type === 'end') resolve({ grownBytes: message.grownBytes })
          if (message.type === 'failed') reject(new Error(message.reason))
        }
        send({ type: 'speak', phrase })
      }),
    cancel: () => send({ type: 'cancel' }),
    get isAlive() {
      return isAlive
    },
  }
}
