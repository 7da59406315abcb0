import {
  conversation,
  converse,
  openForTurns,
  responses,
  silencePieces,
  until,
  voicePieces,
} from '@parlando/test-support/local-service/five-turns'
import { expectOneTranscript } from '@parlando/test-support/local-service/one-transcript'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import {
  type FunctionCall,
  type Generation,
  loadPlugins,
  type Plugins,
  type RealtimePluginSession,
} from './plugins.ts'

const testApp = useTestApp()
let plugins: Plugins
beforeAll(() => {
  plugins = loadPlugins()
}, 60_000)

/** What the agent of LiveKit does with a session: it plays responses, calls tools, and truncates what it interrupts. */
function createAgent(session: RealtimePluginSession) {
  const problems: string[] = []
  const events: object[] = []
  let turns = 0
  let ended = 0
  let speaking: { messageId: string; heardMs: number } | undefined

  const runTool = async ({ callId, name }: FunctionCall) => {
    const context = session.chatCtx.copy()
    context.insert(plugins.createToolResult({ callId, name, output: 'the light is on' }))
    await session.updateChatCtx(context)
    await session.generateReply()
  }
  const play = async ({ messageStream, functionStream }: Generation) => {
    for await (const { messageId, audioStream } of messageStream) {
      const message = { messageId, heardMs: 0 }
      for await (const { samplesPerChannel } of audioStream) {
        message.heardMs += samplesPerChannel / 24
        speaking = message
      }
      if (speaking === message) speaking = undefined
    }
    for await (const call of functionStream) await runTool(call)
  }
  const interrupt = async () => {
    if (!speaking) return
    const { messageId, heardMs } = speaking
    await session.interrupt()
    await session.truncate({ messageId, audioEndMs: Math.floor(heardMs), modalities: ['audio'] })
  }
  const note = (error: unknown) => problems.push(String(error))
  session.on('error', ({ error }) => note(error))
  session.on('generation_created', (generation) => void play(generation).catch(note))
  session.on('input_speech_started', () => {
    turns++
    interrupt().catch(note)
  })
  session.on('openai_server_event_received', (event) => {
    events.push(event)
    if (event.type === 'response.done') ended++
  })
  const push = (piece: Buffer) =>
    session.pushAudio(plugins.createFrame(new Int16Array(new Uint8Array(piece).buffer)))
  return {
    problems,
    events,
    /** Speaks in such a way that an interruption reaches the service before the end of the turn, as in real time. */
    async say() {
      const before = turns
      for (const piece of voicePieces) push(piece)
      await until(() => turns > before)
      for (const piece of silencePieces) push(piece)
    },
    ended: () => ended,
    isSpeaking: () => speaking !== undefined && ended === 3,
  }
}

it('holds a conversation of five turns with a tool and an interruption', async () => {
  const { port, recogniser, asked } = await openForTurns(testApp)
  const baseURL = `ws://127.0.0.1:${port}/v1`
  const session = plugins.openSession({ apiKey: 'any', baseURL, voice: 'Clara' })
  onTestFinished(() => session.close())
  const agent = createAgent(session)
  await session.updateInstructions('Be short')
  const parameters = { type: 'object', properties: { state: { type: 'string' } } }
  const light = plugins.createTool({
    description: 'the light',
    parameters,
    execute: async () => '',
  })
  await session.updateTools({ light })

  await converse({ ...agent, say: () => void agent.say() }, recogniser)

  expect(agent.problems).toEqual([])
  expect(expectOneTranscript(agent.events)).toBeGreaterThanOrEqual(5)
  expect(asked()).toMatchObject([{ role: 'system', content: 'Be short' }, ...conversation])
  const said = session.chatCtx.items
    .filter(({ type, role }) => type === 'message' && role === 'assistant')
    .map(({ textContent }) => textContent)
  expect(said).toEqual(['Hello.', 'It is on.', expect.stringMatching(/^One/), 'Good.', 'Bye.'])
  expect(said[2]!.length).toBeLessThan(responses['count']!.length / 2)
})
