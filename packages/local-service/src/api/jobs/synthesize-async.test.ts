import { readWavHeader } from '@parlando/core/audio'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { post, speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { Scheduler } from '../../engines/schedule/scheduler.ts'
import { EngineError } from '../../errors/engine-error.ts'
import {
  blockingEngine,
  longRequest,
  onDisk,
  openService,
  restartDuring,
  stores,
  timingEngine,
} from './long-text-service.test-case.ts'

for (const [where, create, condition] of stores) {
  describe(`a long text ${where}`, condition, () => {
    it('becomes an operation, whose audio and times anybody with their addresses may read', async () => {
      const flite = timingEngine()
      const service = await openService({ open: await create(), flite, apiKey: keys.service })
      const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16_000 }
      const { operation } = await service.submit({
        ...longRequest,
        audioConfig,
        timestampType: 'WORD',
      })
      expect(operation).toMatchObject({ done: false, metadata: { spokenCharacters: 0 } })
      await service.ended(operation.name)
      const { response, metadata } = await service.read(operation.name)
      const { length } = longRequest.text
      expect(metadata).toEqual({ state: 'SUCCEEDED', characters: length, spokenCharacters: length })
      expect(Date.parse(response.expireTime)).toBeGreaterThan(Date.now())

      const get = async (uri: string) => service.app.request(uri.replace('http://localhost', ''))
      const audio = await get(response.audioUri)
      const bytes = new Uint8Array(await audio.arrayBuffer())
      expect(audio.headers.get('content-type')).toBe('audio/wav')
      expect(audio.headers.get('content-length')).toBe(String(bytes.length))
      expect(readWavHeader(bytes)).toMatchObject({ dataBytes: bytes.length - 44 })
      const times = await (await get(response.timestampsUri)).json()
      expect(times.timestampInfo.wordAlignment.words).toEqual(service.spoken)
      const [, signature = ''] = response.audioUri.split('signature=')
      const forged = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
      expect((await get(response.audioUri.replace(signature, forged))).status).toBe(404)
      expect((await get(response.timestampsUri.replace(/[^=]*$/, signature))).status).toBe(404)
      expect((await get(`/lro/v1alpha/${operation.name}`)).status).toBe(401)
      expect(service.failures).toEqual([])
    })

    it('goes on after a restart with what is missing, and sounds the same', async () => {
      const gate = blockingEngine(30)
      const open = await create()
      const first = await openService({ open, flite: gate.flite })
      const { operation } = await first.submit(longRequest)
      const second = await restartDuring(first, gate, open)
      await second.ended(operation.name)
      const again = second.spoken.filter((text) => first.spoken.includes(text))
      // At most one segment, which was not complete.
      expect(again.join(' ').length).toBeLessThan(500)
      expect(first.spoken.length).toBe(30)
      const whole = await openService()
      const { operation: other } = await whole.submit(longRequest)
      await whole.ended(other.name)
      expect([...new Set([...first.spoken, ...second.spoken])]).toEqual([...new Set(whole.spoken)])
      const bytesOf = async (service: typeof whole, name: string) => {
        const { response } = await service.read(name)
        return Buffer.from(await (await service.request(response.audioUri)).arrayBuffer())
      }
      expect(await bytesOf(second, operation.name)).toEqual(await bytesOf(whole, other.name))
    })
  })
}

describe('a long text', () => {
  it('has the audio that a stream has', async () => {
    const service = await openService()
    const request = {
      ...longRequest,
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
    }
    const { operation } = await service.submit(request)
    await service.ended(operation.name)
    const { audioUri } = (await service.read(operation.name)).response
    const audio = Buffer.from(await (await service.request(audioUri)).arrayBuffer())
    const stream = await (await post(service.app, '/tts/v1/voice:stream', request)).text()
    const chunks = stream
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).result.audioContent)
    expect(audio).toEqual(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, 'base64'))))
  })

  it('has the warnings about the whole text, also after a restart', async () => {
    const skipped = { code: 'skipped-characters', message: 'Nova skips 世', characters: '世' }
    const noTimes = { code: 'no-word-times', message: 'Nova does not report them' }
    const german = 'Der Hund und die Katze sind nicht im Haus, aber der Garten ist auch schön. '
    const gate = blockingEngine(8)
    const { speakPhrase } = gate.flite.engine
    gate.flite.engine.speakPhrase = async (phrase) => {
      phrase.onWarnings?.([skipped, noTimes])
      await speakPhrase(phrase)
    }
    const open = onDisk()
    const first = await openService({ open, flite: gate.flite })
    const request = { ...longRequest, text: german.repeat(12), timestampType: 'WORD' }
    const { operation } = await first.submit(request)
    const second = await restartDuring(first, gate, open)
    await second.ended(operation.name)
    const { response } = await second.read(operation.name)
    expect(response.warnings).toMatchObject([
      { code: 'other-language', language: 'de' },
      skipped,
      noTimes,
    ])
    expect(response).not.toHaveProperty('timestampsUri')
  })

  it('whose voice reports no times of words has no address of times', async () => {
    const service = await openService()
    const { operation } = await service.submit({ ...speechRequest, timestampType: 'WORD' })
    await service.ended(operation.name)
    const { response } = await service.read(operation.name)
    expect(Object.keys(response)).toEqual(['audioUri', 'expireTime'])
  })

  it('is rejected if it needs more than half of the space that all callers have', async () => {
    const gate = blockingEngine(1)
    const service = await openService({ flite: gate.flite })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 48_000 } as const
    const request = { ...longRequest, text: 'a '.repeat(50_000), audioConfig }
    const submit = (caller: string) =>
      service.jobs.submit({ kind: 'speech', items: [{ request }], caller })
    await submit('one')
    await expect(submit('one')).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    await submit('another')
    gate.open()
  })

  it.each([
    ['an unknown voice', { voiceId: 'Nobody' }, 404],
    ['a text above the limit', { text: 'a '.repeat(50_001) }, 400],
    ['no text', { text: ' ' }, 400],
    [
      'an unsupported format',
      { audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 8000 } },
      400,
    ],
  ])('is rejected at once: %s', async (_what, change, status) => {
    const service = await openService()
    expect((await service.submit({ ...longRequest, ...change })).status).toBe(status)
  })

  it('fails with the error of the engine, after further attempts if that can help', async () => {
    const flite = createFakeEngine()
    let calls = 0
    flite.engine.speakPhrase = async () => {
      calls += 1
      throw new EngineError('unavailable', 'The engine is away')
    }
    const service = await openService({ flite })
    const { operation } = await service.submit(speechRequest)
    await service.ended(operation.name)
    expect(await service.read(operation.name)).toMatchObject({
      metadata: { state: 'FAILED' },
      error: { code: 14, message: 'The engine is away' },
    })
    expect(calls).toBe(3)
  })

  it('lets a listener go first, also when the engine speaks one phrase at a time', async () => {
    const gate = blockingEngine(3)
    const scheduler = new Scheduler(1)
    const service = await openService({ flite: { ...gate.flite, scheduler } })
    await service.submit(longRequest)
    await gate.reached
    const listening = post(service.app, '/tts/v1/voice', { ...speechRequest, text: 'Who is it?' })
    await expect.poll(() => scheduler.waiting).toBe(1)
    gate.open()
    expect((await listening).status).toBe(200)
    expect(service.spoken.indexOf('Who is it?')).toBe(3)
  })
})
