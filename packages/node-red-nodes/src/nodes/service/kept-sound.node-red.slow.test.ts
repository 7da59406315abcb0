import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceNode } from '../../runtime/speech-service.ts'
import { fileNameOf } from '../../saved/saved-file.ts'

const { load, unload, postToAdmin, userFolder } = useNodeRed()
const spoken = Buffer.alloc(4800, 1)
afterEach(() => {
  version = undefined
})
const filesOf = (id: string) => {
  const folder = join(userFolder, 'parlando', 'sounds', fileNameOf(id))
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The version of the service. */
let version: string | undefined

/** A hosted service with a voice and a clone, and a flow that speaks with it. */
async function start(id: string, settings: object) {
  const voice = { voiceId: 'Clara', displayName: 'Clara', langCode: 'EN_US', source: 'SYSTEM' }
  const clone = { ...voice, voiceId: 'Me', source: 'IVC' }
  const server = await startTestServer((response, { method, url = '' }) => {
    if (method === 'POST') return void response.end(audioLine(spoken))
    response.setHeader('content-type', 'application/json')
    if (url === '/healthz') return void response.end(JSON.stringify({ version }))
    const one = url.endsWith('/Me') ? clone : voice
    response.end(JSON.stringify(url.endsWith('/voices') ? { voices: [voice, clone] } : one))
  })
  const loadFlow = async () => {
    const place = { location: 'hosted', baseUrl: server.baseUrl, retries: '0', encoding: 'PCM' }
    const speak = { output: 'whole', text: 'payload', textType: 'msg' }
    const flow = await load(
      [
        { id, type: 'parlando-service', ...place, ...settings },
        { id: 'speak', type: 'parlando-speak', z: 'tab', service: id, ...speak, wires: [['out']] },
        ...['out', 'caught'].map((helper) => ({ id: helper, type: 'helper', z: 'tab' })),
        { id: 'catch', type: 'catch', z: 'tab', scope: null, wires: [['caught']] },
      ],
      { [id]: { apiKey: 'key' } },
    )
    let count = 0
    const say = async (message: object) => {
      count += 1
      flow.node('speak').receive({ ...message })
      return (await flow.waitFor('out', count)).at(-1)!
    }
    return { flow, say }
  }
  const texts = () =>
    server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as object)
  return { server, loadFlow, texts, ...(await loadFlow()) }
}

describe('a service that keeps its sound on the disk', () => {
  it('speaks a text of before the restart while it is away, in its default voice', async () => {
    version = '1.0.0'
    const { say, texts, server, loadFlow } = await start('kept', { keepSound: 'disk' })
    const first = await say({ payload: 'The door is open.' })
    expect(first.payload).toEqual(spoken)
    // The sound, the default voice and the version.
    await vi.waitFor(() => expect(filesOf('kept')).toHaveLength(3))
    await unload()
    await server.close()
    const after = await loadFlow()
    expect(await after.say({ payload: 'The door is open.' })).toMatchObject({
      payload: spoken,
      audio: { voiceId: 'Clara', bytes: 4800, firstAudioMs: expect.any(Number) },
    })
    expect(texts()).toHaveLength(1)
    after.flow.node('speak').receive({ payload: 'A new text.' })
    const [failed] = await after.flow.waitFor('caught', 1)
    expect(failed).toMatchObject({ error: { code: 'NOT_REACHABLE' } })
  })

  it.each([
    [{}, 0, 2],
    [{ keepClones: true }, 1, 1],
  ])('keeps the sound of a clone only if the form allows it: %j', async (settings, files, made) => {
    const id = `clones${files}`
    const { say, texts, flow } = await start(id, { keepSound: 'disk', ...settings })
    await say({ payload: 'It is me.', voiceId: 'Me' })
    const { speech } = flow.node(id) as unknown as ServiceNode
    await vi.waitFor(async () => {
      expect(await speech.report()).toMatchObject({ sounds: files })
      await say({ payload: 'It is me.', voiceId: 'Me' })
      expect(texts()).toHaveLength(made)
    })
    expect(filesOf(id)).toHaveLength(files)
  })

  it('makes a text anew after an update of the service', async () => {
    version = '1.0.0'
    const { say, texts, loadFlow } = await start('updated', { keepSound: 'disk', voice: 'Clara' })
    await say({ payload: 'The door is open.' })
    await vi.waitFor(() => expect(filesOf('updated')).toHaveLength(2))
    await unload()
    version = '1.1.0'
    const after = await loadFlow()
    await vi.waitFor(async () => {
      await after.say({ payload: 'The door is open.' })
      expect(texts()).toHaveLength(2)
    })
  })

  it('shows its figures in the form, and deletes what it has kept', async () => {
    const { say, texts, flow } = await start('figures', { keepSound: 'disk', voice: 'Clara' })
    await say({ payload: 'The door is open.' })
    const { speech } = flow.node('figures') as unknown as ServiceNode
    await vi.waitFor(async () => expect(await speech.report()).toMatchObject({ sounds: 1 }))
    await say({ payload: 'The door is open.' })
    const kept = { hits: 1, misses: 1, savedCharacters: 17, savedSeconds: 0.1 }
    expect((await postToAdmin('/parlando/kept-sound', { id: 'figures' })).body).toMatchObject({
      ...kept,
      sounds: 1,
      bytes: expect.any(Number),
    })
    const cleared = await postToAdmin('/parlando/kept-sound/clear', { id: 'figures' })
    expect(cleared.body).toMatchObject({ ...kept, sounds: 0, bytes: 0 })
    expect(filesOf('figures')).toEqual([])
    await say({ payload: 'The door is open.' })
    expect(texts()).toHaveLength(2)
  })
})

describe('a service that keeps its sound in Redis', needs('redis-server'), () => {
  it('speaks a text of another Node-RED without making it', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    version = '1.0.0'
    const settings = { keepSound: 'redis', redisUrl: redis.url, voice: 'Clara' }
    const { say, texts, loadFlow } = await start('shared', settings)
    // It connects in the background, and meanwhile makes what it speaks.
    await vi.waitFor(async () => {
      const made = texts().length
      await say({ payload: 'The door is open.' })
      expect(texts()).toHaveLength(made)
    }, 20_000)
    await unload()
    const other = await loadFlow()
    await vi.waitFor(async () => {
      const made = texts().length
      expect((await other.say({ payload: 'The door is open.' })).payload).toEqual(spoken)
      expect(texts()).toHaveLength(made)
    }, 20_000)
  })
})

describe('a hosted service', () => {
  it('keeps no sound of *speak* by default', async () => {
    const { say, texts } = await start('usual', {})
    for (const _ of [1, 2]) await say({ payload: 'One.' })
    expect(texts()).toHaveLength(2)
    expect(filesOf('usual')).toEqual([])
  })

  it('speaks the sentences of its form while it is away', async () => {
    const prepared = 'The door is open.\n\n Ralph | Dinner is ready. \n'
    const { server, say, texts } = await start('prepared', { prepared })
    await vi.waitFor(() => expect(texts()).toHaveLength(2))
    expect(texts()).toMatchObject([
      { text: 'The door is open.', voiceId: 'Clara' },
      { text: 'Dinner is ready.', voiceId: 'Ralph' },
    ])
    await server.close()
    expect((await say({ payload: 'The door is open.' })).payload).toEqual(spoken)
    expect((await say({ payload: 'Dinner is ready.', voiceId: 'Ralph' })).payload).toEqual(spoken)
  })

  it('makes its sentences in the format of a node as soon as the node has spoken', async () => {
    const { say, texts } = await start('formats', { prepared: 'The door is open.' })
    await vi.waitFor(() => expect(texts()).toHaveLength(1))
    await say({ payload: 'Hello.', audioConfig: { sampleRateHertz: 16_000 } })
    await vi.waitFor(() => expect(texts()).toHaveLength(3))
    expect(texts().at(-1)).toMatchObject({
      text: 'The door is open.',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
    })
  })

  it('says why sound cannot be kept, and speaks', async () => {
    const { say, flow } = await start('wrong', { keepSound: 'redis', redisUrl: 'http://x' })
    expect((await say({ payload: 'One.' })).payload).toEqual(spoken)
    const warn = (flow.node('wrong') as unknown as { warn: { args: unknown[][] } }).warn
    expect(String(warn.args)).toContain('sound-not-kept')
  })
})

it('rejects requests of forms about a service that is not deployed', async () => {
  const { flow } = await start('deployed', {})
  expect(flow).toBeDefined()
  for (const id of ['unknown', 'speak', '__proto__', {}]) {
    expect(await postToAdmin('/parlando/kept-sound', { id })).toMatchObject({ status: 422 })
    expect(await postToAdmin('/parlando/kept-sound/clear', { id })).toMatchObject({ status: 422 })
  }
})
