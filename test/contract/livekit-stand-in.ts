import { randomUUID } from 'node:crypto'
import type { RealtimeItem, RealtimeServerEvent } from '@parlando/core/wire'
import type { SocketClient } from '@parlando/test-support/local-service/clients/socket-client'
import { silencePieces, until, voicePieces } from '@parlando/test-support/local-service/five-turns'

interface Message {
  text: string
  bytes: number
  firstAudioAt?: number
}

type Handlers = {
  [Type in RealtimeServerEvent['type']]?: (
    event: Extract<RealtimeServerEvent, { type: Type }>,
  ) => void
}

/**
 * The realtime plugin of LiveKit Agents 1.9: what it sends, and what it does with the events, from its source. Its packages take
 * 400 MB, so the plugin itself runs at night: see test/livekit.
 */
export class LiveKitStandIn {
  /** Why the plugin would throw. */
  readonly problems: string[] = []
  /** The items of the conversation in order, with their texts. */
  readonly chat: { id: string; text: string }[] = []
  readonly calls: RealtimeItem[] = []
  /** How many responses have ended. */
  ended = 0
  readonly #client: SocketClient
  readonly #audioItems = new Set<string>()
  /** Who waits for an event, by its id. */
  readonly #pending = new Map<string, () => void>()
  /** Those of the response that is being made. */
  #messages: Map<string, Message> | undefined
  #turns = 0

  constructor(client: SocketClient) {
    this.#client = client
    client.webSocket.on('message', (data) => {
      const event = JSON.parse(String(data))
      this.#handlers[event.type as RealtimeServerEvent['type']]?.(event)
    })
  }

  /** Whether sound of a response has arrived that has not ended. */
  get isSpeaking(): boolean {
    return [...(this.#messages?.values() ?? [])].some(({ bytes }) => bytes > 0)
  }

  /** Sends the defaults of the plugin, and a tool. */
  sendSettings(): void {
    const format = { type: 'audio/pcm', rate: 24_000 }
    const turn_detection = {
      type: 'semantic_vad',
      eagerness: 'medium',
      create_response: true,
      interrupt_response: true,
    }
    const transcription = { model: 'gpt-4o-mini-transcribe' }
    const audio = {
      input: { format, transcription, turn_detection },
      output: { format, speed: 1, voice: 'marin' },
    }
    const shared = { type: 'realtime', model: 'gpt-realtime' }
    this.#send({
      type: 'session.update',
      session: {
        ...shared,
        output_modalities: ['audio'],
        audio,
        max_output_tokens: 'inf',
        tool_choice: 'auto',
      },
    })
    this.#send({ type: 'session.update', session: { type: 'realtime', instructions: '' } })
    const parameters = { type: 'object', properties: { state: { type: 'string' } } }
    const tools = [{ type: 'function', name: 'light', description: 'the light', parameters }]
    this.#send({ type: 'session.update', session: { ...shared, tools } })
  }

  /** Sends an item, and waits until the service has added it. */
  async create(item: object): Promise<void> {
    const id = `item_${randomUUID()}`
    const added = this.#until(id)
    const previous_item_id = this.chat.at(-1)?.id
    this.#send({ type: 'conversation.item.create', item: { id, ...item }, previous_item_id })
    await added
  }

  /** Requests a response, and waits until the service begins it. */
  async generateReply(): Promise<void> {
    const event_id = `response_create_${randomUUID()}`
    const created = this.#until(event_id)
    const response = { metadata: { client_event_id: event_id } }
    this.#send({ type: 'response.create', event_id, response })
    await created
  }

  /** Speaks in such a way that an interruption reaches the service before the end of the turn, as in real time. */
  async speak(): Promise<void> {
    const before = this.#turns
    for (const piece of voicePieces) this.#sendAudio(piece)
    await until(() => this.#turns > before)
    for (const piece of silencePieces) this.#sendAudio(piece)
  }

  #interrupt(): void {
    this.#send({ type: 'response.cancel' })
    for (const [item_id, { bytes, firstAudioAt }] of this.#messages ?? []) {
      if (!this.#audioItems.has(item_id) || firstAudioAt === undefined) continue
      const elapsedMs = performance.now() - firstAudioAt
      const audio_end_ms = Math.floor(Math.min(elapsedMs, bytes / 48))
      this.#send({ type: 'conversation.item.truncate', content_index: 0, item_id, audio_end_ms })
    }
  }

  readonly #handlers: Handlers = {
    'input_audio_buffer.speech_started': () => {
      this.#turns++
      if (this.#messages) this.#interrupt()
    },
    'conversation.item.added': ({ item, previous_item_id }) => {
      this.#insert(item, previous_item_id)
      this.#settle(item.id)
    },
    'conversation.item.input_audio_transcription.completed': ({ item_id, transcript }) =>
      this.#addText(item_id, transcript),
    'response.created': ({ response }) => {
      if (!response.id) this.problems.push('a response without an id')
      this.#messages = new Map()
      this.#settle(String(response.metadata?.['client_event_id']))
    },
    'response.output_item.added': ({ item }) => {
      if (!this.#messages) this.problems.push('an item without a response')
      if (item.type === 'message') this.#messages?.set(item.id, { text: '', bytes: 0 })
    },
    'response.content_part.added': (event) => {
      this.#messageOf(event)
      if (event.part.type === 'audio') this.#audioItems.add(event.item_id)
    },
    'response.output_audio_transcript.delta': (event) => {
      this.#messageOf(event).text += event.delta
    },
    'response.output_audio.delta': (event) => {
      const message = this.#messageOf(event)
      const { length } = Buffer.from(event.delta, 'base64')
      if (length % 2 > 0) this.problems.push('half a sample')
      message.bytes += length
      message.firstAudioAt ??= performance.now()
    },
    'response.output_item.done': ({ item }) => {
      if (item.type !== 'function_call') return
      if (!item.call_id || !item.name || !item.arguments) this.problems.push('an incomplete call')
      this.calls.push(item)
    },
    'response.done': () => {
      for (const [id, { text }] of this.#messages ?? []) this.#addText(id, text)
      this.#messages = undefined
      this.ended++
    },
    error: ({ error }) => {
      const message = error.message ?? ''
      if (!message.startsWith('Cancellation failed')) this.problems.push(message)
    },
  }

  #messageOf({ type, item_id }: { type: string; item_id: string }): Message {
    const message = this.#messages?.get(item_id)
    if (!message) this.problems.push(`${type} without a message`)
    return message ?? { text: '', bytes: 0 }
  }

  #insert({ id, content }: RealtimeItem, previousId?: string | null): void {
    const before = this.chat.findIndex((item) => item.id === previousId)
    if (previousId && before < 0) this.problems.push(`unknown item before ${id}`)
    const text = (content ?? []).map((part) => part.text ?? '').join('')
    this.chat.splice(before + 1, 0, { id, text })
  }

  #addText(id: string, text: string): void {
    const item = this.chat.find((one) => one.id === id)
    if (item) item.text += text
    else this.problems.push('a text without its item')
  }

  #until(id: string): Promise<void> {
    return new Promise((resolve) => this.#pending.set(id, resolve))
  }

  #settle(id: string): void {
    this.#pending.get(id)?.()
    this.#pending.delete(id)
  }

  #send(event: object): void {
    this.#client.send({ event_id: `event_${randomUUID()}`, ...event })
  }

  #sendAudio(piece: Buffer): void {
    this.#send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') })
  }
}
