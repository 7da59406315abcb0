import { createIdleTimer } from './idle-timer.ts'
import { isInterruption } from './interruption.ts'
import { createResponder, type Responder } from './responder.ts'
import type { SessionParts } from './session-parts.ts'
import { createUserInput, type UserInput } from './user-input.ts'
import type { EndedTurn, Transcript } from './user-turn.ts'

/** The turns of the user and of the model: when the model responds, and when the user interrupts it. */
export interface TurnTaking {
  readonly input: UserInput
  readonly responder: Responder
  /** The user no longer speaks. */
  continueConversation(): void
  /** Applies changed settings to the audio that follows. Ends the current turn of the user. */
  restartInput(): void
  /** Resolves when all work has ended. */
  close(): Promise<void>
}

export function createTurnTaking(session: SessionParts): TurnTaking {
  const { state, player, clock, signal } = session
  let silenceStartMs = 0

  const detection = () => state.settings.audio.input.turn_detection
  const interrupts = () => detection()?.interrupt_response ?? false
  const interrupt = () => {
    responder.current?.cancel('turn_detected')
    player?.clear()
  }
  const onTurnEnded = (turn: EndedTurn, transcript: Transcript) => {
    const mayBeNoise = interrupts() && responder.current && !isInterruption(turn, transcript)
    const isMeant = transcript.text !== '' && !mayBeNoise
    if (isMeant && interrupts()) interrupt()
    if (isMeant && detection()?.create_response) responder.request()
    // The user continues to speak, so a response would be interrupted at once.
    if (interrupts() && input.isInTurn) return
    continueConversation()
  }
  const continueConversation = () => {
    responder.current?.resume()
    player?.resume()
    responder.respondIfDue()
    watchSilence()
  }
  /** After a response, a user who says nothing may get another one. */
  const watchSilence = () => {
    const { current, latest } = responder
    const rule = detection()
    const idleMs = rule?.type === 'server_vad' && rule.idle_timeout_ms
    if (!idleMs || current || !latest || input.isInTurn || signal.aborted) return
    idle.start(idleMs, latest.unplayedMs)
  }

  const input = createUserInput({
    ...session,
    onSpeechStarted() {
      idle.stop()
      if (!interrupts()) return
      responder.current?.pause()
      player?.pause()
    },
    onWords() {
      if (interrupts()) interrupt()
    },
    onTurnEnded,
  })
  const responder = createResponder({
    ...session,
    transcribed: input.transcribed,
    onStart() {
      idle.stop()
      player?.resume()
    },
    onEnd: watchSilence,
  })
  const idle = createIdleTimer({
    clock,
    onPlayed() {
      silenceStartMs = input.durationMs
    },
    onIdle() {
      input.addSilence(silenceStartMs)
      responder.request()
      responder.respondIfDue()
    },
  })

  return {
    input,
    responder,
    continueConversation,
    restartInput() {
      idle.stop()
      input.restart()
      continueConversation()
    },
    async close() {
      idle.stop()
      await Promise.all([responder.close(), input.close()])
    },
  }
}
