import type { RealtimeConversation } from '@parlando/core'
import { NodeInputError } from '../../runtime/failure.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import type { AudioCollector, LiveAudio } from '../../sounds/incoming-audio.ts'
import { type ConverseMessage, toolCallOf } from './conversation-messages.ts'
import { createRateConverter, sessionRateHertz } from './session-rate.ts'

type Action = (conversation: RealtimeConversation) => void

const maxWaiting = 1000

/** @param silenceMs the silence that ends a turn. `undefined`: the end of the recording does. */
export function createUserInput(
  RED: Texts,
  collector: AudioCollector,
  silenceMs: number | undefined,
) {
  const closing = new AbortController()
  const waiting: Action[] = []
  let connected: RealtimeConversation | undefined
  let hasAudio = false
  let fail: (error: unknown) => void = () => {}
  let onRecording = () => {}

  const actionFor = (message: ConverseMessage): Action => {
    // An inject node sends the time as a number.
    const payload = typeof message.payload === 'number' ? String(message.payload) : message.payload
    const call = toolCallOf(message)
    if (call) {
      // A conversation that is not connected has called no tool: the call is of the one before.
      if (!connected) throw new NodeInputError(RED._('converse.error.no-call'))
      return (conversation) => conversation.sendToolResult(call.callId, toolResult(payload))
    }
    if (typeof payload === 'string' && payload.trim() !== '') {
      return (conversation) => conversation.sendText(payload)
    }
    if (!Buffer.isBuffer(payload)) throw new NodeInputError(RED._('converse.error.not-input'))
    const audio = collector.open(message, { signal: closing.signal, isWhole: false })
    if (audio.kind !== 'live') throw new NodeInputError(RED._('converse.error.not-live'))
    hasAudio = true
    return (conversation) => {
      if (silenceMs === undefined) onRecording()
      const sending = sendAudio(audio, conversation, { silenceMs, signal: closing.signal })
      sending.catch((error) => closing.signal.aborted || fail(error))
    }
  }

  return {
    /** @throws {NodeInputError} if the message is none of these, or if too many are waiting. */
    take(message: ConverseMessage) {
      if (waiting.length >= maxWaiting) {
        // The other chunks of its recording, if it is one.
        collector.close(message)
        throw new NodeInputError(sharedText(RED, 'error.too-many-waiting'))
      }
      const action = actionFor(message)
      if (connected) action(connected)
      else waiting.push(action)
    },
    /**
     * Passes everything to the conversation.
     * @param onTurn called when a recording begins whose end, and not a silence, ends the turn: the service does not report that
     * the user speaks.
     * @returns a promise that rejects if a message or a recording fails.
     */
    async connect(conversation: RealtimeConversation, onTurn: () => void): Promise<never> {
      connected = conversation
      onRecording = onTurn
      const failure = new Promise<never>((_resolve, reject) => {
        fail = reject
      })
      for (const action of waiting.splice(0)) action(conversation)
      return failure
    },
    /** Whether somebody may speak: a recording has begun. */
    get hasAudio() {
      return hasAudio
    },
    close: () => closing.abort(),
  }
}

/** The messages for a conversation: recordings, texts and the results of tools. They wait until it is connected. */
export type UserInput = ReturnType<typeof createUserInput>

interface AudioTurn {
  silenceMs: number | undefined
  signal: AbortSignal
}

/** Sends a recording while it arrives, and what ends the turn. */
async function sendAudio(
  audio: LiveAudio,
  conversation: RealtimeConversation,
  { silenceMs, signal }: AudioTurn,
): Promise<void> {
  const convert = createRateConverter(audio.sampleRateHertz)
  for await (const chunk of audio.readChunks(signal)) await conversation.sendAudio(convert(chunk))
  if (silenceMs === undefined) return conversation.endTurn()
  // The recording may end before the silence that ends a turn.
  await conversation.sendAudio(silence(silenceMs + 500))
}

function silence(durationMs: number): Buffer {
  return Buffer.alloc(2 * Math.round((durationMs / 1000) * sessionRateHertz))
}

/** The result of a tool for the language model. */
function toolResult(payload: unknown): string {
  return typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
}
