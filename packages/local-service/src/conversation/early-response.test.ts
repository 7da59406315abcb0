import type { RealtimeClientEvent } from '@parlando/core/wire'
import {
  commit,
  create,
  silence,
  transcribing,
  typesOf,
  voice,
} from '@parlando/test-support/local-service/clients/realtime-events'
import {
  openSession,
  saying,
  type TestSession,
  type TestSessionOptions,
  toStream,
} from '@parlando/test-support/local-service/clients/realtime-session'
import { expect, it, vi } from 'vitest'

const understanding = {
  type: 'session.update',
  session: { audio: { input: { turn_detection: { type: 'semantic_vad' } } } },
} as const

const endOfTurnModel = (isComplete: () => Promise<boolean>) => ({
  async prepare() {},
  isComplete,
  async close() {},
})

/** Speaks for 800 ms and pauses. @param judge what the end-of-turn model says about the pauses. */
async function pause(
  judge: () => Promise<boolean>,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  const session = await openSession({ ...options, endOfTurnModel: endOfTurnModel(judge) })
  await session.send(transcribing, understanding)
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(400))
  await vi.waitFor(() => expect(session.requests).toHaveLength(1))
  return session
}

/** The client requests the responses. */
const withoutResponses = { type: 'semantic_vad', create_response: false } as const

const heardOf = ({ requests }: TestSession) =>
  requests.map(({ messages }) => Number.parseInt(String(messages.at(-1)?.content), 10))

it('the recogniser and the language model start in a pause, and nobody hears of it before the turn ends', async () => {
  let judge = (_isComplete: boolean) => {}
  const session = await pause(
    () =>
      new Promise((resolve) => {
        judge = resolve
      }),
  )
  expect(typesOf(session.events)).not.toContain('input_audio_buffer.speech_stopped')
  expect(typesOf(session.events)).not.toContain('response.created')
  judge(true)
  await session.say(silence(100))
  const { response } = await session.next('response.done')
  expect(response).toMatchObject({ status: 'completed' })
  expect(session.requests).toHaveLength(1)
  expect(session.recogniser.requests).toHaveLength(1)
})

it('what they have begun is thrown away when the user goes on', async () => {
  const session = await pause(async () => false)
  await session.say(voice(800))
  expect(session.requests[0]!.signal.aborted).toBe(true)
  expect(session.recogniser.running).toBe(1)
  await session.say(silence(1200))
  await session.next('response.done')
  const [first, second] = heardOf(session)
  expect(second! - first!).toBeGreaterThan(900)
  expect(session.requests).toHaveLength(2)
  const types = typesOf(session.events)
  for (const once of ['response.created', 'input_audio_buffer.committed']) {
    expect(types.filter((type) => type === once)).toHaveLength(1)
  }
})

it('a tool is called once, also if the language model has called it in each pause', async () => {
  const call = { type: 'toolCall', callId: 'c', name: 'light', arguments: '{}' } as const
  const respond = () => toStream([call, ...saying()])
  const session = await pause(async () => false, { respond })
  await session.say(voice(800))
  await session.say(silence(1200))
  await session.next('response.done')
  expect(session.requests).toHaveLength(2)
  const calls = typesOf(session.events).filter(
    (type) => type === 'response.function_call_arguments.done',
  )
  expect(calls).toHaveLength(1)
})

it('a response with other words or settings begins anew', async () => {
  const session = await pause(async () => false)
  await session.send({ type: 'session.update', session: { instructions: 'Be brief.' } })
  await session.say(silence(800))
  await session.next('response.done')
  expect(session.requests).toHaveLength(2)
  expect(session.requests[0]!.signal.aborted).toBe(true)
  expect(session.requests[1]!.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
})

it.each<[string, RealtimeClientEvent]>([
  ['drops the turn', { type: 'input_audio_buffer.clear' }],
  [
    'changes the settings of the input',
    { type: 'session.update', session: { audio: { input: { turn_detection: null } } } },
  ],
])('the language model stops when the client %s in the pause', async (_how, event) => {
  const session = await pause(async () => false)
  await session.send(event)
  expect(session.requests[0]!.signal.aborted).toBe(true)
})

it('a client that ends the turn in the pause and requests the response gets the one that has begun', async () => {
  const session = await pause(async () => false)
  await session.send(commit, create)
  expect(await session.next('response.done')).toMatchObject({ response: { status: 'completed' } })
  expect(session.requests).toHaveLength(1)
})

it('nothing starts early if the client requests the responses', async () => {
  const session = await openSession({ endOfTurnModel: endOfTurnModel(async () => false) })
  await session.send({
    type: 'session.update',
    session: { audio: { input: { turn_detection: withoutResponses } } },
  })
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(1200))
  await session.next('conversation.item.done')
  expect(session.requests).toEqual([])
})

it('a recogniser that fails in a pause is reported once if the client requests the responses', async () => {
  const session = await openSession({ endOfTurnModel: endOfTurnModel(async () => false) })
  const input = { transcription: {}, turn_detection: withoutResponses }
  await session.send({ type: 'session.update', session: { audio: { input } } })
  session.recogniser.onWork = (work) => {
    if (work === 'end') throw new Error('out of memory')
  }
  for (const sound of [silence(300), voice(800), silence(1200)]) await session.say(sound)
  await session.next('conversation.item.input_audio_transcription.failed')
  expect(session.failures).toHaveLength(1)
})
