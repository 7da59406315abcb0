import { randomUUID } from 'node:crypto'
import type { RealtimeItem, RealtimeServerEvent } from '@parlando/core/wire'
import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/clients/socket-client'
import {
  conversation,
  converse,
  openForTurns,
  responses,
  silencePieces,
  until,
  voicePieces,
} from '@parlando/test-support/local-service/five-turns'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'

// The realtime plug-in of LiveKit Agents 1.9: what it sends, and what it does with the events, from its source. Its packages
// take 400 MB, so the plug-in itself runs at night: see test/livekit.

const testApp = useTestApp()

interface Message {
  text: string
  bytes: number
  firstAudioAt?: number
}

/** The state of the plugin. */
function createPlugin(client: SocketClient) {
  /** Why the plugin would throw. */
  const problems: string[] = []
  /** The items of the conversation in order, with their texts. */
  const chat: { id: string; text: string }[] = []
  const audioItems = new Set<string>()
  const pending = new Map<string, () => void>()
  const calls: RealtimeItem[] = []
  let messages: Map<string, Message> | undefined
  let turns = 0
  let ended = 0

  const send = (event: object) => client.send({ event_id: `event_${randomUUID()}`, ...event })
  const sendAudio = (piece: Buffer) =>
    send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') })
  const messageOf = ({ type, item_id }: { type: string; item_id: string }): Message => {
    const message = messages?.get(item_id)
    if (!message) problems.push(`${type} without a message`)
    return message ?? { text: '', bytes: 0 }
  }
  const insert = ({ id, content }: RealtimeItem, previousId?: string | null) => {
    const before = chat.findIndex((item) => item.id === previousId)
    if (previousId && before < 0) problems.push(`unknown item before ${id}`)
    chat.splice(before + 1, 0, { id, text: (content ?? []).map(({ text }) => text ?? '').join('') })
  }
  const addText = (id: string, text: string) => {
    const item = chat.find((one) => one.id === id)
    if (item) item.text += text
    else problems.push('a text without its item')
  }
  const addAudio = (message: Message, { length }: Buffer) => {
    if (length % 2 > 0) problems.push('half a sample')
    message.bytes += length
    message.firstAudioAt ??= performance.now()
  }
  const settle = (id: string) => {
    pending.get(id)?.()
    pending.delete(id)
  }
  /** Sends an item, and waits until the service has added it. */
  const create = async (item: object): Promise<void> => {
    const id = `item_${randomUUID()}`
    const added = new Promise<void>((resolve) => pending.set(id, resolve))
    const previous_item_id = chat.at(-1)?.id
    send({ type: 'conversation.item.create', item: { id, ...item }, previous_item_id })
    await added
  }
  /** Requests a response, and waits until the service begins it. */
  const generateReply = async (): Promise<void> => {
    const event_id = `response_create_${randomUUID()}`
    const created = new Promise<void>((resolve) => pending.set(event_id, resolve))
    const response = { metadata: { client_event_id: event_id } }
    send({ type: 'response.create', event_id, response })
    await created
  }
  /** Speaks in such a way that an interruption reaches the service before the end of the turn, as in real time. */
  const speak = async (): Promise<void> => {
    const before = turns
    for (const piece of voicePieces) sendAudio(piece)
    await until(() => turns > before)
    for (const piece of silencePieces) sendAudio(piece)
  }
  const interrupt = () => {
    send({ type: 'response.cancel' })
    for (const [item_id, { bytes, firstAudioAt }] of messages ?? []) {
      if (!audioItems.has(item_id) || firstAudioAt === undefined) continue
      const elapsedMs = performance.now() - firstAudioAt
      const audio_end_ms = Math.floor(Math.min(elapsedMs, bytes / 48))
      send({ type: 'conversation.item.truncate', content_index: 0, item_id, audio_end_ms })
    }
  }

  const handle = (event: RealtimeServerEvent) => {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        turns++
        if (messages) interrupt()
        return
      case 'conversation.item.added':
        insert(event.item, event.previous_item_id)
        return settle(event.item.id)
      case 'conversation.item.input_audio_transcription.completed':
        return addText(event.item_id, event.transcript)
      case 'response.created':
        if (!event.response.id) problems.push('a response without an id')
        messages = new Map()
        return settle(String(event.response.metadata?.['client_event_id']))
      case 'response.output_item.added':
        if (!messages) problems.push('an item without a response')
        if (event.item.type === 'message') messages?.set(event.item.id, { text: '', bytes: 0 })
        return
      case 'response.content_part.added':
        messageOf(event)
        if (event.part.type === 'audio') audioItems.add(event.item_id)
        return
      case 'response.output_audio_transcript.delta':
        messageOf(event).text += event.delta
        return
      case 'response.output_audio.delta':
        return addAudio(messageOf(event), Buffer.from(event.delta, 'base64'))
      case 'response.output_item.done': {
        const { type, call_id, name, arguments: json } = event.item
        if (type !== 'function_call') return
        if (!call_id || !name || !json) problems.push('an incomplete call')
        calls.push(event.item)
        return
      }
      case 'response.done':
        for (const [id, { text }] of messages ?? []) addText(id, text)
        messages = undefined
        ended++
        return
      case 'error': {
        const message = event.error.message ?? ''
        if (!message.startsWith('Cancellation failed')) problems.push(message)
      }
    }
  }
  client.webSocket.on('message', (data) => handle(JSON.parse(String(data))))
  return {
    send,
    create,
    generateReply,
    speak,
    problems,
    chat,
    calls,
    ended: () => ended,
    isSpeaking: () => [...(messages?.values() ?? [])].some(({ bytes }) => bytes > 0),
  }
}

/** The defaults of the plugin. */
function sendSettings({ send }: ReturnType<typeof createPlugin>): void {
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
  send({
    type: 'session.update',
    session: {
      ...shared,
      output_modalities: ['audio'],
      audio,
      max_output_tokens: 'inf',
      tool_choice: 'auto',
    },
  })
  send({ type: 'session.update', session: { type: 'realtime', instructions: '' } })
  const parameters = { type: 'object', properties: { state: { type: 'string' } } }
  const tools = [{ type: 'function', name: 'light', description: 'the light', parameters }]
  send({ type: 'session.update', session: { ...shared, tools } })
}

it('the plugin of LiveKit Agents holds a conversation of five turns with a tool and an interruption', async () => {
  const { port, recogniser, asked } = await openForTurns(testApp)
  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: 'Bearer any', 'user-agent': 'LiveKit-Agents-JS' }
  const client = await connectSocket(url, '/v1/realtime?model=gpt-realtime', { headers })
  const plugin = createPlugin(client)
  sendSettings(plugin)

  const runTool = async () => {
    await until(() => plugin.calls.length > 0)
    const { call_id } = plugin.calls[0]!
    const output = 'the light is on'
    await plugin.create({ type: 'function_call_output', call_id, output })
    await plugin.generateReply()
  }
  const toolRun = runTool()
  await converse(
    {
      say: () => void plugin.speak(),
      ended: plugin.ended,
      isSpeaking: () => plugin.isSpeaking() && plugin.ended() === 3,
    },
    recogniser,
  )
  await toolRun
  expect(plugin.problems).toEqual([])
  expect(asked()).toMatchObject(conversation)
  const texts = plugin.chat.map(({ text }) => text)
  const said = ['hello', 'Hello.', 'light', '', '', 'It is on.', 'count']
  expect(texts).toEqual([...said, expect.stringMatching(/^One/), 'stop', 'Good.', 'bye', 'Bye.'])
  expect(texts[7]!.length).toBeLessThan(responses['count']!.length / 2)
})
