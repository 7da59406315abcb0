import { type ChildProcess, fork } from 'node:child_process'
import type { Sound } from '../engine.ts'
import type { FromParent, FromProgram } from './program.ts'

/** One life of a program that speaks in a process of its own, one phrase at a time. It ends with this process. */
export interface SpeakerProcess<Info, Phrase> {
  info: Info
  /**
   * @returns by how much its memory has grown since it was ready.
   * @throws {Error} when it fails on the phrase, or ends in the middle of it.
   */
  speak(phrase: Phrase, onSound: (sound: Sound) => void): Promise<{ grownBytes: number }>
  /** Lets the phrase that runs end early; what it still makes is not handed out. */
  cancel(): void
  readonly isAlive: boolean
  end(): Promise<void>
}

const startLimitMs = 60_000
const maxComplaintCharacters = 800

/**
 * Starts the program and resolves when it is ready.
 * @throws {Error} that says why it is not.
 */
export async function startSpeakerProcess<Info, Phrase>(
  programPath: string,
  programArguments: readonly string[],
): Promise<SpeakerProcess<Info, Phrase>> {
  const child = fork(programPath, programArguments, {
    env: withoutSecrets(process.env),
    execArgv: [],
    // Samples go as they are, not as JSON.
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
    return speakWith<Info, Phrase>({ child, exited, info, end })
  } catch (error) {
    await end()
    throw error
  }
}

/** The keys of the service are nobody else's business. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PARLANDO_')))
}

function readyInfo<Info>(child: ChildProcess): Promise<Info> {
  let complaint = ''
  let isStarting = true
  // Read to the end, or the program would wait for a reader; kept only while nobody has said anything to it.
  child.stderr?.on('data', (data) => {
    if (isStarting) complaint = (complaint + data).slice(0, maxComplaintCharacters)
  })
  return new Promise<Info>((resolve, reject) => {
    const fail = (reason: string) => {
      reject(new Error([reason, complaint.trim()].filter(Boolean).join(': ')))
    }
    const limit = setTimeout(() => fail(`not ready after ${startLimitMs / 1000} s`), startLimitMs)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code, signal) => fail(`it ended with ${signal ?? code}`))
    child.once('message', (message: FromProgram<Info>) => {
      if (message.type === 'ready') resolve(message.info)
      else fail(message.type === 'failed' ? message.reason : 'it speaks out of turn')
    })
    child.once('exit', () => clearTimeout(limit))
    child.once('message', () => clearTimeout(limit))
  }).finally(() => {
    isStarting = false
  })
}

function speakWith<Info, Phrase>(life: {
  child: ChildProcess
  exited: Promise<void>
  info: Info
  end(): Promise<void>
}): SpeakerProcess<Info, Phrase> {
  const { child, exited, info, end } = life
  let isAlive = true
  let hear: ((message: FromProgram<Info>) => void) | undefined
  const send = (message: FromParent<Phrase>) => {
    // A failure is ignored: that the program is ending is noticed by its exit.
    child.send(message, () => {})
  }
  child.on('message', (message: FromProgram<Info>) => hear?.(message))
  void exited.then(() => {
    isAlive = false
    hear?.({ type: 'failed', reason: 'its process ended' })
  })
  return {
    info,
    end,
    speak: (phrase, onSound) =>
      new Promise((resolve, reject) => {
        if (!isAlive) return reject(new Error('its process is gone'))
        hear = (message) => {
          if (message.type === 'sound') return onSound(message.sound)
          hear = undefined
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
