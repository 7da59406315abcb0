import type { RealtimeItem } from '@parlando/core/wire'
import type { Entry } from './conversation.ts'
import { newId, toErrorBody, toErrorEvent } from './server-events.ts'
import type { SessionParts } from './session-parts.ts'
import type { Transcript, UserTurn } from './user-turns.ts'

/** The turns of the user as items of the conversation. */
export interface UserItems {
  /**
   * Adds a turn to the conversation and transcribes it.
   * @param transcript what the language model reads if there are no words.
   * @returns the words; none if the recogniser fails.
   */
  add(turn: UserTurn, transcript?: string): Promise<Transcript>
  /** Adds a turn without words, of a user who says nothing. */
  addSilence(startMs: number, endMs: number): void
  /** Resolves when every turn so far is transcribed. */
  transcribed(): Promise<void>
  readonly isTranscribing: boolean
}

type UserItemsOptions = Pick<
  SessionParts,
  'emit' | 'conversation' | 'state' | 'signal' | 'onFailure'
>

const noWords: Transcript = { text: '' }
/** How a language model reads that the user says nothing. A voice speaks nothing for it, in any language. */
const silenceText = '…'

export function createUserItems(options: UserItemsOptions): UserItems {
  const { emit, conversation } = options
  const transcriptions = new Set<Promise<Transcript>>()
  const add: UserItems['add'] = (turn, transcript = '') => {
    const item: RealtimeItem = {
      id: turn.itemId,
      object: 'realtime.item',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    }
    const entry: Entry = { item, transcript }
    const previous_item_id = conversation.add(entry)
    const item_id = item.id
    void emit({ type: 'input_audio_buffer.committed', previous_item_id, item_id })
    void emit({ type: 'conversation.item.added', previous_item_id, item })
    void emit({ type: 'conversation.item.done', previous_item_id, item })
    const transcription = transcribe(turn, entry, options).finally(() =>
      transcriptions.delete(transcription),
    )
    transcriptions.add(transcription)
    return transcription
  }
  return {
    add,
    addSilence(startMs, endMs) {
      const times = { audio_start_ms: startMs, audio_end_ms: endMs }
      const turn = { itemId: newId('item'), startMs, endMs, voiceMs: 0 }
      void emit({ type: 'input_audio_buffer.timeout_triggered', ...times, item_id: turn.itemId })
      void add({ ...turn, transcript: Promise.resolve(noWords) }, silenceText)
    },
    async transcribed() {
      await Promise.all(transcriptions)
    },
    get isTranscribing() {
      return transcriptions.size > 0
    },
  }
}

async function transcribe(
  turn: UserTurn,
  entry: Entry,
  { emit, state, signal, onFailure }: UserItemsOptions,
): Promise<Transcript> {
  // A client without transcription gets no events about it.
  const isReported = state.settings.audio.input.transcription !== null
  const place = { item_id: turn.itemId, content_index: 0 }
  const type = 'conversation.item.input_audio_transcription'
  try {
    const transcript = await turn.transcript
    const { text } = transcript
    if (text) entry.transcript = text
    if (isReported) {
      entry.item.content = [{ type: 'input_audio', transcript: text }]
      if (text) void emit({ type: `${type}.delta`, ...place, delta: text })
      const usage = { type: 'duration', seconds: (turn.endMs - turn.startMs) / 1000 }
      void emit({ type: `${type}.completed`, ...place, transcript: text, usage })
    }
    return transcript
  } catch (error) {
    if (signal.aborted) return noWords
    onFailure(error)
    if (isReported) void emit({ type: `${type}.failed`, ...place, error: toErrorBody(error) })
    else void emit(toErrorEvent(error))
    return noWords
  }
}
