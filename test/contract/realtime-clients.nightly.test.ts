import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import {
  conversation,
  converse,
  openForTurns,
  responses,
  turnPieces,
  until,
} from '@parlando/test-support/local-service/five-turns'
import { expectOneTranscript } from '@parlando/test-support/local-service/one-transcript'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { describe, expect, it, onTestFinished } from 'vitest'

const testApp = useTestApp()

/** A listener behind TLS: the client of the OpenAI API connects to nothing else. */
async function openTlsDoor(port: number): Promise<number> {
  const { key, cert } = makeCertificate()
  const server = createServer({ key, cert }, (socket) => {
    const inner = connect(port, '127.0.0.1')
    for (const end of [socket, inner]) end.on('error', () => {})
    socket.pipe(inner).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('the client of the OpenAI API', () => {
  it('holds a conversation of five turns with a tool and an interruption', async () => {
    const { port, recogniser, asked } = await openForTurns(testApp)
    const tlsPort = await openTlsDoor(port)
    const client = new OpenAI({ apiKey: 'any', baseURL: `https://127.0.0.1:${tlsPort}/v1` })
    const socket = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { rejectUnauthorized: false } },
      client,
    )
    onTestFinished(() => socket.close())
    const errors: unknown[] = []
    const events: object[] = []
    const texts: string[] = []
    let ended = 0
    let deltas = 0
    socket.on('error', (error) => errors.push(error))
    socket.on('event', (event) => events.push(event))
    await once(socket.socket, 'open')
    socket.on('response.output_audio.delta', () => deltas++)
    socket.on('response.output_audio_transcript.done', ({ transcript }) => texts.push(transcript))
    socket.on('response.done', () => {
      ended++
      deltas = 0
    })
    socket.on('response.function_call_arguments.done', ({ call_id }) => {
      const item = { type: 'function_call_output', call_id, output: 'the light is on' } as const
      socket.send({ type: 'conversation.item.create', item })
    })
    socket.on('response.done', ({ response }) => {
      if (response.output?.at(-1)?.type === 'function_call')
        socket.send({ type: 'response.create' })
    })
    const tools = [{ type: 'function' as const, name: 'light' }]
    socket.send({ type: 'session.update', session: { type: 'realtime', tools } })
    await converse(
      {
        say() {
          for (const piece of turnPieces) {
            socket.send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') })
          }
        },
        ended: () => ended,
        isSpeaking: () => deltas > 0 && ended === 3,
      },
      recogniser,
    )
    expect(errors).toEqual([])
    expect(texts).toEqual(['Hello.', 'It is on.', expect.stringMatching(/^One/), 'Good.', 'Bye.'])
    expect(texts[2]!.length).toBeLessThan(responses['count']!.length / 2)
    expect(expectOneTranscript(events)).toBeGreaterThanOrEqual(texts.length)
    expect(asked()).toMatchObject(conversation)
  })
})

/** The package of the client needs Node 22. */
const hasAgents = Number(process.versions.node.split('.')[0]) >= 22

if (hasAgents) {
  it('the client of OpenAI Agents holds a conversation of five turns with a tool and an interruption', async () => {
    const { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } = await import(
      '@openai/agents-realtime'
    )
    const { port, recogniser, asked } = await openForTurns(testApp)
    const light = tool({
      name: 'light',
      description: 'Switches the light',
      parameters: {
        type: 'object',
        properties: { state: { type: 'string' } },
        required: ['state'],
        additionalProperties: true,
      },
      strict: false,
      execute: async () => 'the light is on',
    })
    const agent = new RealtimeAgent({ name: 'A', instructions: 'Be short', tools: [light] })
    const url = `ws://127.0.0.1:${port}/v1/realtime?model=gpt-realtime`
    const transport = new OpenAIRealtimeWebSocket({ url })
    const session = new RealtimeSession(agent, { transport, model: 'gpt-realtime' })
    onTestFinished(() => session.close())
    const errors: unknown[] = []
    const events: object[] = []
    const types: string[] = []
    let ended = 0
    let deltas = 0
    session.on('error', (error) => errors.push(error))
    transport.on('*', (event: { type: string }) => {
      const { type } = event
      events.push(event)
      types.push(type)
      if (type !== 'response.done') return
      ended++
      deltas = 0
    })
    let interruptions = 0
    session.on('audio', () => deltas++)
    session.on('audio_interrupted', () => interruptions++)
    await session.connect({ apiKey: 'any' })
    await until(() => types.includes('session.updated'))
    await converse(
      {
        say() {
          for (const piece of turnPieces) {
            session.sendAudio(new Uint8Array(piece).buffer)
          }
        },
        ended: () => ended,
        isSpeaking: () => deltas > 0 && ended === 3,
      },
      recogniser,
    )
    expect(errors).toEqual([])
    expect(interruptions).toBeGreaterThan(0)
    expect(expectOneTranscript(events)).toBeGreaterThanOrEqual(5)
    expect(asked()).toEqual(
      expect.arrayContaining(conversation.filter(({ role }) => role !== 'assistant')),
    )
    const spoken = session.history.flatMap((item) =>
      item.type === 'message' && item.role === 'assistant' ? [JSON.stringify(item.content)] : [],
    )
    const interrupted = spoken.find((content) => content.includes('One'))!
    expect(interrupted.length).toBeLessThan(responses['count']!.length / 2)
    expect(spoken.at(-1)).toContain('Bye.')
  })
}
