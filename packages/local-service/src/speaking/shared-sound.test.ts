import { createMemoryStore, openRedisStore, type SpeechStore } from '@parlando/store'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createTestApp, makeClonedVoice, post } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Clones } from '../voices/store/clones.ts'
import { createVoiceList } from '../voices/voice-list.ts'
import { SharedSound } from './shared-sound.ts'

const speech = { text: 'The door is open.', voiceId: 'Clara', modelId: 'svc-tts-2' }
const memory = () => createMemoryStore({ maxBytes: 1_000_000 })

/** A service with a store, whose engine speaks when it is told to. */
function open(store: SpeechStore, { isWaiting = false, fails = false } = {}) {
  const { engine, scheduler } = createFakeEngine()
  const spoken: string[] = []
  let speakOn = () => {}
  const allowed = isWaiting ? new Promise<void>((resolve) => (speakOn = resolve)) : undefined
  const counting = {
    ...engine,
    async speakPhrase(request: Parameters<typeof engine.speakPhrase>[0]) {
      spoken.push(request.text)
      await allowed
      if (fails) throw new Error('broken')
      request.onSound({
        samples: new Float32Array(8000).fill(0.5),
        words: [{ text: 'door', startSeconds: 0.1, endSeconds: 0.2 }],
      })
    },
  }
  const sharedSound = new SharedSound(store)
  const clones = new Clones({ stored: [makeClonedVoice('anna')] })
  const app = createTestApp({ engine: counting, scheduler }, () => {}, createVoiceList(clones), {
    sharedSound,
  })
  const ask = async (change: object = {}) => {
    const response = await post(app, '/tts/v1/voice', {
      ...speech,
      timestampType: 'WORD',
      ...change,
    })
    return { status: response.status, body: await response.json() }
  }
  return { app, ask, spoken, sharedSound, speakOn: () => speakOn() }
}

describe('the sound of a request', () => {
  it('is made once for all services with the same store, with the times of its words', async () => {
    const store = memory()
    const [one, other] = [open(store), open(store)]
    const first = await one.ask()
    const second = await other.ask()
    expect(first.status).toBe(200)
    expect(second).toEqual(first)
    expect([one.spoken.length, other.spoken.length]).toEqual([1, 0])
    expect(other.sharedSound.figures).toEqual({ found: 1, joined: 0, made: 0 })
  })

  it.each([
    ['the text', { text: 'The door is shut.' }],
    ['the voice', { voiceId: 'Ralph' }],
    ['the model', { modelId: 'svc-tts-2-flash' }],
    ['the format', { audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 } }],
    ['the rate', { audioConfig: { speakingRate: 1.2 } }],
    ['the wish for times', { timestampType: undefined }],
  ])('is another one if %s differs', async (_what, change) => {
    const { ask, sharedSound } = open(memory())
    await ask()
    await ask(change)
    expect(sharedSound.figures).toEqual({ found: 0, joined: 0, made: 2 })
  })

  it('is made once for all who ask for it at the same time', async () => {
    const { ask, spoken, sharedSound, speakOn } = open(memory(), { isWaiting: true })
    const asked = [ask(), ask(), ask()]
    await vi.waitFor(() => expect(sharedSound.figures.joined).toBe(2))
    speakOn()
    const [first, ...others] = await Promise.all(asked)
    expect(others).toEqual([first, first])
    expect(spoken).toHaveLength(1)
  })

  it('is made to its end for the others when one of them disconnects', async () => {
    const { app, ask, spoken, sharedSound, speakOn } = open(memory(), { isWaiting: true })
    const leaving = new AbortController()
    const body = JSON.stringify({ ...speech, timestampType: 'WORD' })
    const left = app.request('/tts/v1/voice', { method: 'POST', body, signal: leaving.signal })
    const others = ask()
    await vi.waitFor(() => expect(sharedSound.figures.joined).toBe(1))
    leaving.abort()
    speakOn()
    expect((await others).status).toBe(200)
    await left
    expect(spoken).toHaveLength(1)
  })

  it('is not kept if it failed', async () => {
    const store = memory()
    const broken = open(store, { fails: true })
    expect((await broken.ask()).status).toBe(500)
    expect(store.size()).toMatchObject({ sounds: 0 })
  })

  it('is not kept if it is that of a clone', async () => {
    const store = memory()
    const { ask, spoken } = open(store)
    for (const _ of [1, 2]) expect((await ask({ voiceId: 'local__anna' })).status).toBe(200)
    expect(spoken).toHaveLength(2)
    expect(store.size()).toMatchObject({ sounds: 0 })
  })
})

it('the sound of a request is shared through Redis', needs('redis-server'), async () => {
  const server = await startRedis()
  onTestFinished(() => server.close())
  const services = await Promise.all(
    [1, 2].map(async () => open(await openRedisStore({ url: server.url }))),
  )
  onTestFinished(async () => {
    for (const { sharedSound } of services) await sharedSound.close()
  })
  await vi.waitFor(async () => {
    for (const { ask } of services) await ask()
    for (const { sharedSound } of services) expect(sharedSound.figures.found).toBeGreaterThan(0)
  }, 20_000)
})
