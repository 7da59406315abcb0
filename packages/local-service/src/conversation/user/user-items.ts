import type { RealtimeItem } from '@parlando/core/wire'
import type { Entry } from '../conversation-items.ts'
import { toErrorBody, toErrorEvent } from '../server-events.ts'
import type { SessionParts } from '../session-parts.ts'
import { TranscriptDeltas } from './transcript-deltas.ts'
import type { TurnTranscript, UserTurn } from './user-turn.ts'

const transcriptionEvent = 'conversation.item.input_audio_transcription'
const noWords: TurnTranscript = { text: '' }

/** The items that the turns of the user become, with their transcripts and the events about both. */
export class UserItems {
  readonly #session: SessionParts
  readonly #transcriptions = new Set<Promise<TurnTranscript>>()
  /** What was sent of each transcript so far, by the id of its item. */
  readonly #deltas = new Map<string, TranscriptDeltas>()

  constructor(session: SessionParts) {
    this.#session = session
  }

  get isTranscribing(): boolean {
    return this.#transcriptions.size > 0
  }

  /** Resolves when every turn so far is transcribed. */
  async transcribed(): Promise<void> {
    await Promise.all(this.#transcriptions)
  }

  /**
   * The recogniser has understood more of a turn. Only sessions that transcribe report a turn before its end: the item of a
   * conversation must come first.
   */
  reportInterim(text: string, itemId: string): void {
    if (this.#session.state.settings.type !== 'transcription') return
    const deltas = this.#deltas.get(itemId) ?? new TranscriptDeltas()
    this.#deltas.set(itemId, deltas)
    this.#emitDelta(itemId, deltas.push(text))
  }

  /** The turn was dropped. */
  forget(itemId: string): void {
    this.#deltas.delete(itemId)
  }

  /**
   * Adds a turn to the conversation and transcribes it.
   * @param transcript what the language model reads if there are no words.
   * @returns the words; none if the recogniser fails.
   */
  add(turn: UserTurn, transcript = ''): Promise<TurnTranscript> {
    const { emit, conversation } = this.#session
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
    void emit({ type: 'input_audio_buffer.committed', previous_item_id, item_id: item.id })
    void emit({ type: 'conversation.item.added', previous_item_id, item })
    void emit({ type: 'conversation.item.done', previous_item_id, item })
    const transcription = this.#transcribe(turn, entry).finally(() =>
      this.#transcriptions.delete(transcription),
    )
    this.#transcriptions.add(transcription)
    return transcription
  }

  #emitDelta(itemId: string, delta: string): void {
    if (delta === '') return
    const place = { item_id: itemId, content_index: 0 }
    void this.#session.emit({ type: `${transcriptionEvent}.delta`, ...place, delta })
  }

  async #transcribe(turn: UserTurn, entry: Entry): Promise<TurnTranscript> {
    const { emit, state, signal, onFailure } = this.#session
    // A client without transcription gets no events about it.
    const isReported = state.settings.audio.input.transcription !== null
    const place = { item_id: turn.itemId, content_index: 0 }
    const deltas = this.#deltas.get(turn.itemId) ?? new TranscriptDeltas()
    try {
      const transcript = await turn.transcript
      const { text, language } = transcript
      if (text) entry.transcript = text
      if (language) entry.language = language
      if (isReported) {
        entry.item.content = [{ type: 'input_audio', transcript: text }]
        this.#emitDelta(turn.itemId, deltas.end(text))
        const usage = { type: 'duration', seconds: (turn.endMs - turn.startMs) / 1000 }
        void emit({
          type: `${transcriptionEvent}.completed`,
          ...place,
          transcript: text,
          ...(language && { language }),
          usage,
        })
      }
      return transcript
    } catch (error) {
      if (signal.aborted) return noWords
      onFailure(error)
      if (isReported)
        void emit({ type: `${transcriptionEvent}.failed`, ...place, error: toErrorBody(error) })
      else void emit(toErrorEvent(error))
      return noWords
    } finally {
      this.#deltas.delete(turn.itemId)
    }
  }
}
