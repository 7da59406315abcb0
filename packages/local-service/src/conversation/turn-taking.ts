import { decide, type Floor, type FloorAction, type FloorEvent, type FloorRule } from './floor.ts'
import { createIdleTimer } from './idle-timer.ts'
import { Responder } from './response/responder.ts'
import type { SessionParts } from './session-parts.ts'
import type { SessionSettings } from './session-settings.ts'
import { isInterruption } from './user/is-interruption.ts'
import { UserInput } from './user/user-input.ts'

/** The turns of the user and of the model: when the model responds, and when the user interrupts it. */
export interface TurnTaking {
  readonly input: UserInput
  readonly responder: Responder
  /** Ends the current turn of the user. @throws {SessionError} if there is none. */
  commitInput(): void
  /** Drops the current turn of the user. */
  clearInput(): Promise<void>
  /** Applies changed settings to the audio that follows. Ends the current turn of the user. */
  restartInput(): void
  /** Resolves when all work has ended. */
  close(): Promise<void>
}

export function createTurnTaking(session: SessionParts): TurnTaking {
  const rule = () => floorRule(session.state.settings)
  const floor = () => floorOf(input, responder)
  const dispatch = (event: FloorEvent): void => {
    for (const action of decide(floor(), event, rule())) actions[action]()
  }
  const input = new UserInput({
    ...session,
    onSpeechStarted: () => dispatch({ type: 'speechStarted' }),
    onWords: () => dispatch({ type: 'wordsHeard' }),
    onPaused(words) {
      if (rule().responds) responder.beginEarlyResponse(words)
    },
    onResumed: () => responder.dropEarlyResponse(),
    onTurnEnded(turn, transcript) {
      const hasWords = transcript.text !== ''
      dispatch({ type: 'turnEnded', hasWords, mayBeNoise: !isInterruption(turn, transcript) })
    },
  })
  const responder = new Responder(session, {
    transcribed: () => input.transcribed(),
    onStart: () => dispatch({ type: 'responseStarts' }),
    onEnd: () => dispatch({ type: 'responseEnded' }),
  })
  const actions = createActions(session, {
    input,
    responder,
    floor,
    onSilence: () => dispatch({ type: 'silencePassed' }),
  })
  const continueConversation = () => dispatch({ type: 'inputEnded' })

  return {
    input,
    responder,
    commitInput() {
      // The client may want the response that has begun in a pause, so it goes on for a moment.
      input.commit()
      continueConversation()
    },
    async clearInput() {
      responder.dropEarlyResponse()
      await input.clear()
      continueConversation()
    },
    restartInput() {
      actions.stopWatching()
      responder.dropEarlyResponse()
      input.restart()
      continueConversation()
    },
    async close() {
      actions.stopWatching()
      await Promise.all([responder.close(), input.close()])
    },
  }
}

/** What follows from the turns that the detector finds. */
function floorRule({ type, audio }: SessionSettings): FloorRule {
  const detection = type === 'realtime' ? audio.input.turn_detection : null
  return {
    interrupts: detection?.interrupt_response ?? false,
    responds: detection?.create_response ?? false,
  }
}

/** Who speaks. It is read from the parts, because the client and failures change it too. */
function floorOf(input: UserInput, responder: Responder): Floor {
  if (input.isInTurn) return responder.current ? 'both' : 'user'
  return responder.current ? 'model' : 'nobody'
}

/** What the actions change. */
interface ActionParts {
  input: UserInput
  responder: Responder
  floor(): Floor
  onSilence(): void
}

function createActions(
  { player, clock, state, signal }: SessionParts,
  { input, responder, floor, onSilence }: ActionParts,
): Readonly<Record<FloorAction, () => void>> {
  let silenceStartMs = 0
  const idle = createIdleTimer({
    clock,
    onPlayed() {
      silenceStartMs = input.durationMs
    },
    onIdle: onSilence,
  })
  return {
    hold() {
      responder.current?.pause()
      player?.pause()
    },
    resume() {
      responder.current?.resume()
      player?.resume()
    },
    interrupt() {
      responder.current?.cancel('turn_detected')
      player?.clear()
    },
    request: () => responder.request(),
    respond: () => responder.respondIfDue(),
    addSilence: () => input.addSilence(silenceStartMs),
    watchSilence() {
      const rule = state.settings.audio.input.turn_detection
      const idleMs = rule?.type === 'server_vad' && rule.idle_timeout_ms
      const { latest } = responder
      if (!idleMs || !latest || floor() !== 'nobody' || signal.aborted) return
      idle.start(idleMs, latest.unplayedMs)
    },
    stopWatching: idle.stop,
  }
}
