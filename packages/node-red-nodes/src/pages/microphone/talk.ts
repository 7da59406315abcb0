import { createEndOfTurn } from '../../microphones/end-of-turn.ts'
import { levelDb } from '../../microphones/level.ts'
import type { TalkMode } from '../../microphones/page/messages.ts'
import type { Connection } from './connection.ts'
import { openRecorder, type Recorder } from './recorder.ts'

/** `ending`: the button is released, and the end of the last word is still recorded. */
export type TalkState = 'idle' | 'opening' | 'recording' | 'ending'

/** Names a text of the page. */
export type TalkProblem =
  | 'denied'
  | 'noMicrophone'
  | 'inUse'
  | 'muted'
  | 'nothingSaid'
  | 'tooShort'
  | 'tooLong'
  | 'unplugged'

export interface TalkOptions {
  mode: TalkMode
  connection: Connection
  onState(state: TalkState): void
  /** The level of each 20 ms in dB, while it is recorded. */
  onLevel(levelDb: number): void
  /** Nothing: the microphone is no longer muted. */
  onProblem(problem: TalkProblem | undefined): void
}

export interface Talk {
  readonly state: TalkState
  /** Begins to record. Call it in the handler of a click or a key. */
  start(): void
  /** Ends the recording. */
  stop(): void
  /** Ends the recording without a message to the server, which knows or cannot be reached. */
  abort(): void
}

/** People release the button before they have finished the last word. */
const tailMs = 200
/** Nobody says a word in less: a tap on a button that wants to be held. */
const minHoldMs = 400
/** Opening a microphone takes up to 0.3 s, in which the first word would be lost. */
const keepOpenMs = 30_000
/** Somebody has put something on the button, or the room is loud. */
const maxTurnMs = 300_000
/** A microphone that is on has some noise, except one that suppresses it until somebody speaks. */
const maxZeroPackets = 100

/** Records what a person says to the page. */
export function createTalk(options: TalkOptions): Talk {
  const { mode, connection, onState, onLevel, onProblem } = options
  let state: TalkState = 'idle'
  let recorder: Promise<Recorder> | undefined
  let attempts = 0
  let timer: number | undefined
  let endOfTurn = createEndOfTurn()
  let zeroPackets = 0
  let hasSound = false
  let startedAt = 0

  const change = (next: TalkState) => {
    state = next
    onState(next)
  }
  const after = (delayMs: number, action: () => void) => {
    clearTimeout(timer)
    timer = window.setTimeout(action, delayMs)
  }
  const closeRecorder = () => {
    recorder?.then(({ close }) => close()).catch(() => {})
    recorder = undefined
  }
  const abort = () => {
    if (state === 'idle') return
    attempts += 1
    // People who talk hands-free expect that the microphone is off afterwards.
    after(mode === 'hands-free' ? 0 : keepOpenMs, closeRecorder)
    change('idle')
  }
  const finish = (problem?: TalkProblem) => {
    if (state !== 'opening' && state !== 'idle') connection.send({ type: 'end' })
    abort()
    if (problem) onProblem(problem)
  }

  /** A microphone that has delivered a sound is not muted, although some deliver zeros between the words. */
  const checkMuted = (packet: Int16Array) => {
    if (hasSound) return
    hasSound = packet.some((sample) => sample !== 0)
    if (hasSound && zeroPackets >= maxZeroPackets) return onProblem(undefined)
    zeroPackets += 1
    if (zeroPackets === maxZeroPackets) onProblem('muted')
  }

  const onPacket = (packet: Int16Array<ArrayBuffer>) => {
    if (state !== 'recording' && state !== 'ending') return
    connection.sendPacket(packet)
    const level = levelDb(packet)
    onLevel(level)
    checkMuted(packet)
    if (mode !== 'tap') return
    const end = endOfTurn(level)
    if (end) finish(end === 'nothing said' ? 'nothingSaid' : undefined)
  }
  const onLost = () => {
    closeRecorder()
    finish('unplugged')
  }
  const onMuted = (isMuted: boolean) => onProblem(isMuted ? 'muted' : undefined)

  const start = async () => {
    if (state !== 'idle') return
    attempts += 1
    const attempt = attempts
    clearTimeout(timer)
    change('opening')
    try {
      recorder ??= openRecorder({ onPacket, onMuted, onLost })
      await recorder
    } catch (error) {
      recorder = undefined
      if (attempt === attempts) finish(problemOf(error))
      return
    }
    if (attempt !== attempts) return
    endOfTurn = createEndOfTurn()
    zeroPackets = 0
    hasSound = false
    startedAt = Date.now()
    connection.send({ type: 'start' })
    change('recording')
    if (mode !== 'hands-free') after(maxTurnMs, () => finish('tooLong'))
  }

  return {
    get state() {
      return state
    },
    start: () => void start(),
    stop() {
      if (state === 'ending') return
      if (state === 'idle' || mode !== 'push') return finish()
      const isTap = state === 'opening' || Date.now() - startedAt < minHoldMs
      if (isTap) return finish('tooShort')
      change('ending')
      after(tailMs, finish)
    },
    abort,
  }
}

/** https://developer.mozilla.org/en-US/docs/Web/API/MediaDevices/getUserMedia#exceptions */
function problemOf(error: unknown): TalkProblem {
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'noMicrophone' : 'inUse'
}
