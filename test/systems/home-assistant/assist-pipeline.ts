import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { RealHomeAssistant } from './run-home-assistant.ts'

/** The pieces in which a satellite sends sound: 16-bit PCM at 16 kHz. */
const pieceMs = 100
const pieceBytes = pieceMs * 32

/** What Home Assistant has made of a spoken command. */
export interface AssistAnswer {
  /** What it has understood. */
  heard: string
  answer: string
  /** The path of the answer as speech. */
  speechPath: string
  /** From the end of the voice until the recogniser had the text, and until the speech of the answer had an address. */
  heardMs: number
  answeredMs: number
}

type Message = Record<string, unknown> & { id: number; type: string }
type Event = { type: string; data: Record<string, Record<string, unknown>> }

/** The WebSocket API of a Home Assistant, with which a satellite runs its voice assistant. */
export class AssistSocket {
  readonly #socket: WebSocket
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.setMaxListeners(0)
  }

  static async open({ address, token }: RealHomeAssistant): Promise<AssistSocket> {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/websocket`)
    await once(socket, 'message')
    socket.send(JSON.stringify({ type: 'auth', access_token: token }))
    const [data] = await once(socket, 'message')
    if (JSON.parse(String(data)).type !== 'auth_ok') throw new Error(String(data))
    return new AssistSocket(socket)
  }

  /** @returns the result of a command. @throws with the reason if Home Assistant rejects it. */
  async command(type: string, fields: object): Promise<Record<string, unknown>> {
    for await (const message of this.#send(type, fields)) {
      if (message['success'] === false) throw new Error(JSON.stringify(message['error']))
      return message['result'] as Record<string, unknown>
    }
    throw new Error('no result')
  }

  /**
   * Speaks a command to a voice assistant, as fast as a person does, and is silent afterwards.
   * @param sound 16-bit PCM at 16 kHz.
   */
  async ask(pipeline: string, sound: Buffer): Promise<AssistAnswer> {
    const heard = new AbortController()
    const answer: Partial<AssistAnswer> = {}
    let spokenAt = 0
    const sinceSpoken = () => Math.round(performance.now() - spokenAt)
    const range = { start_stage: 'stt', end_stage: 'tts', input: { sample_rate: 16_000 } }
    for await (const message of this.#send('assist_pipeline/run', { ...range, pipeline })) {
      if (message['success'] === false) throw new Error(JSON.stringify(message['error']))
      const { type, data } = (message['event'] ?? {}) as Event
      if (type === 'run-start') {
        const handler = data['runner_data']!['stt_binary_handler_id'] as number
        const speech = this.#speak(handler, sound, heard.signal)
        speech.then((endedAt) => {
          spokenAt = endedAt
        })
      } else if (type === 'stt-end') {
        heard.abort()
        answer.heard = String(data['stt_output']!['text'])
        answer.heardMs = sinceSpoken()
      } else if (type === 'intent-end') answer.answer = readAnswer(data)
      else if (type === 'tts-end') {
        answer.speechPath = String(data['tts_output']!['url'])
        answer.answeredMs = sinceSpoken()
      } else if (type === 'error') throw new Error(JSON.stringify(data))
      else if (type === 'run-end') break
    }
    return answer as AssistAnswer
  }

  close(): void {
    this.#socket.close()
  }

  /** The messages about a command. */
  async *#send(type: string, fields: object): AsyncGenerator<Message, void> {
    const id = ++this.#lastId
    const received: Message[] = []
    const note = (data: unknown) => received.push(JSON.parse(String(data)))
    this.#socket.on('message', note)
    try {
      this.#socket.send(JSON.stringify({ id, type, ...fields }))
      for (;;) {
        while (received.length === 0) await once(this.#socket, 'message')
        const message = received.shift()!
        if (message.id === id) yield message
      }
    } finally {
      this.#socket.off('message', note)
    }
  }

  /** Sends the sound, and then silence until the signal. @returns when the sound had ended, on the clock of `performance`. */
  #speak(handler: number, sound: Buffer, signal: AbortSignal): Promise<number> {
    const send = async (piece: Buffer) => {
      if (!signal.aborted) this.#socket.send(Buffer.concat([Buffer.of(handler), piece]))
      await wait(pieceMs)
    }
    const beSilent = async () => {
      while (!signal.aborted) await send(Buffer.alloc(pieceBytes))
      // A message without sound is the end.
      this.#socket.send(Buffer.of(handler))
    }
    const speak = async () => {
      for (let start = 0; start < sound.length; start += pieceBytes) {
        await send(sound.subarray(start, start + pieceBytes))
      }
      void beSilent()
      return performance.now()
    }
    return speak()
  }
}

function readAnswer(data: Event['data']): string {
  const { response } = data['intent_output'] as {
    response: { speech: { plain: { speech: string } } }
  }
  return response.speech.plain.speech
}
