import type { RealtimeItem, RealtimeServerEvent } from '@parlando/core/wire'
import type { ModelToolCall } from '../../chat/language-model.ts'
import type { ConversationItems } from '../conversation-items.ts'
import { type Emit, newId } from '../server-events.ts'
import { createSpokenText, type SpokenText } from './spoken-text.ts'

/**
 * The items of one response, as events in the order that clients need. Each call sends its events before it returns, so
 * that a response can end at any time.
 */
export interface ResponseOutput {
  readonly items: readonly RealtimeItem[]
  /** The speech so far, of a response with audio. */
  readonly speech: SpokenText
  /** The id of the message of the model; undefined before its first text. */
  readonly messageId: string | undefined
  /** Adds text to a response without audio. */
  addText(text: string): Promise<void>
  /** Starts the next sentence of a response with audio. */
  addSentence(text: string): void
  /** @param audio in the output format of the session. */
  addAudio(audio: Uint8Array, durationMs: number): Promise<void>
  addToolCall(call: ModelToolCall): void
  /** Ends the message, if it is open. @param heardText the part that the user heard. Default: the whole text. */
  end(status: 'completed' | 'incomplete', heardText?: string): void
}

export interface ResponseOutputOptions {
  responseId: string
  hasAudio: boolean
  emit: Emit
  /** Default: the items do not become part of a conversation. */
  conversation: ConversationItems | undefined
}

export function createResponseOutput(options: ResponseOutputOptions): ResponseOutput {
  const speech = createSpokenText()
  const items = createItems(options, speech)
  const message = new Message(options, items, speech)
  return {
    items: items.list,
    speech,
    get messageId() {
      return message.id
    },
    addText: (text) => message.addText(text),
    addSentence(sentence) {
      const delta = speech.text === '' ? sentence : ` ${sentence}`
      speech.addSentence(sentence)
      void message.send({ type: 'response.output_audio_transcript.delta', delta })
    },
    addAudio(audio, durationMs) {
      speech.addAudio(durationMs)
      const delta = Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64')
      return message.send({ type: 'response.output_audio.delta', delta })
    },
    addToolCall: (call) => addToolCall(call, options, items),
    end: (status, heardText) => message.end(status, heardText),
  }
}

type Items = ReturnType<typeof createItems>

function createItems(
  { responseId, hasAudio, conversation, emit }: ResponseOutputOptions,
  speech: SpokenText,
) {
  const send = (event: RealtimeServerEvent) => void emit(event)
  const list: RealtimeItem[] = []
  return {
    list,
    /** The fields of every event about an item. */
    placeOf: (item: RealtimeItem) => ({
      response_id: responseId,
      item_id: item.id,
      output_index: list.indexOf(item),
    }),
    start(item: RealtimeItem): void {
      const output_index = list.push(item) - 1
      send({ type: 'response.output_item.added', response_id: responseId, output_index, item })
      if (!conversation) return
      const isSpoken = hasAudio && item.type === 'message'
      const previous_item_id = conversation.add(isSpoken ? { item, speech } : { item })
      send({ type: 'conversation.item.added', previous_item_id, item })
    },
    end(item: RealtimeItem): void {
      if (conversation) {
        const previous_item_id = conversation.previousId(item.id)
        send({ type: 'conversation.item.done', previous_item_id, item })
      }
      const output_index = list.indexOf(item)
      send({ type: 'response.output_item.done', response_id: responseId, output_index, item })
    },
  }
}

/** The message of the model, with one part. It starts with its first content. */
class Message {
  readonly #options: ResponseOutputOptions
  readonly #items: Items
  readonly #speech: SpokenText
  #item: RealtimeItem | undefined
  #text = ''
  #isOpen = false

  constructor(options: ResponseOutputOptions, items: Items, speech: SpokenText) {
    this.#options = options
    this.#items = items
    this.#speech = speech
  }

  get id(): string | undefined {
    return this.#item?.id
  }

  /** Sends an event about the content of the message. */
  send(event: {
    type: 'response.output_audio_transcript.delta' | 'response.output_audio.delta'
    delta: string
  }): Promise<void> {
    return this.#options.emit({ ...event, ...this.#place() })
  }

  addText(delta: string): Promise<void> {
    this.#text += delta
    return this.#options.emit({ type: 'response.output_text.delta', ...this.#place(), delta })
  }

  end(status: 'completed' | 'incomplete', heardText?: string): void {
    const item = this.#item
    if (!item || !this.#isOpen) return
    this.#isOpen = false
    if (heardText === undefined) this.#speech.end()
    // All events state the same text; the deltas may have announced more than was heard.
    const transcript = heardText ?? this.#speech.text
    this.#endPart(transcript)
    item.status = status
    item.content = this.#options.hasAudio
      ? [{ type: 'output_audio', transcript }]
      : [{ type: 'output_text', text: this.#text }]
    this.#items.end(item)
  }

  #place() {
    return { ...this.#items.placeOf(this.#item ?? this.#start()), content_index: 0 }
  }

  #start(): RealtimeItem {
    const { emit, hasAudio } = this.#options
    const item: RealtimeItem = {
      id: newId('item'),
      object: 'realtime.item',
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    }
    this.#item = item
    this.#isOpen = true
    this.#items.start(item)
    const part = hasAudio ? { type: 'audio', transcript: '' } : { type: 'text', text: '' }
    void emit({ type: 'response.content_part.added', ...this.#place(), part })
    return item
  }

  /** @param transcript of a response with audio. */
  #endPart(transcript: string): void {
    const { emit, hasAudio } = this.#options
    const place = this.#place()
    const text = this.#text
    if (hasAudio) {
      void emit({ type: 'response.output_audio.done', ...place })
      void emit({ type: 'response.output_audio_transcript.done', ...place, transcript })
    } else void emit({ type: 'response.output_text.done', ...place, text })
    const part = hasAudio ? { type: 'audio', transcript } : { type: 'text', text }
    void emit({ type: 'response.content_part.done', ...place, part })
  }
}

function addToolCall(
  { callId = newId('call'), name, arguments: json }: ModelToolCall,
  { emit }: ResponseOutputOptions,
  items: Items,
): void {
  const item: RealtimeItem = {
    id: newId('item'),
    object: 'realtime.item',
    type: 'function_call',
    status: 'in_progress',
    call_id: callId,
    name,
    arguments: '',
  }
  items.start(item)
  const ids = { ...items.placeOf(item), call_id: callId }
  void emit({ type: 'response.function_call_arguments.delta', ...ids, delta: json })
  void emit({ type: 'response.function_call_arguments.done', ...ids, name, arguments: json })
  item.arguments = json
  item.status = 'completed'
  items.end(item)
}
