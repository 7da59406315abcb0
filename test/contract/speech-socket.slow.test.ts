import { type ClientOptions, createClient, type SpeechContextSettings } from '@parlando/core'
import { audioEncodings } from '@parlando/core/audio'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import decode from 'audio-decode'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey: keys.service, warmUp: false })
})
afterAll(() => service.close())

function open(options: Partial<ClientOptions> = {}) {
  const { baseUrl } = service
  const client = createClient({ baseUrl, apiKey: keys.service, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return { client, socket: client.speechSocket() }
}

async function metrics(): Promise<string> {
  const headers = { authorization: `Basic ${keys.service}` }
  return (await fetch(`${service.baseUrl}/metrics`, { headers })).text()
}

const voice: SpeechContextSettings = { voiceId: 'Clara', modelId: 'svc-tts-2-flash' }
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const sentences = ['The harbour lay still.', ' Two boats came in with the tide.']

const joinable = audioEncodings.filter((encoding) => encoding !== 'FLAC')

describe('a speech socket of the local service', () => {
  it('speaks each sentence like a request of its own', async () => {
    const { client, socket } = open()
    for (const text of sentences) {
      const context = socket.context({ ...voice, audioConfig: pcm, timestampType: 'WORD' })
      context.write(text)
      context.end()
      const spoken = await context.collect()
      const request = { ...voice, text, audioConfig: pcm, timestampType: 'WORD' } as const
      const requested = await client.synthesizeStream(request).collect()
      expect(spoken.timestamps).toEqual(requested.timestamps)
      expect(spoken.usage).toEqual(requested.usage)
      // The pause after a part of a text is shorter than that after a whole text.
      const shorterBytes = (0.6 - 0.35) * 24_000 * 2
      expect(spoken.audio.length).toBe(requested.audio.length - shorterBytes)
      expect(Buffer.compare(spoken.audio, requested.audio.subarray(0, spoken.audio.length))).toBe(0)
    }
  })

  it.each(casesToRun(joinable, 3))(
    'joins the syntheses of a context to one %s file',
    async (audioEncoding) => {
      const { socket } = open()
      const context = socket.context({ ...voice, audioConfig: { audioEncoding }, autoMode: true })
      for (const sentence of sentences) context.write(sentence)
      context.end()
      const { audio } = await context.collect()
      const seconds = context.durationSeconds!
      expect(seconds).toBeGreaterThan(3)
      expect(context.usage?.processedCharactersCount).toBe(sentences.join('').length)
      if (!['PCM', 'MULAW', 'ALAW'].includes(audioEncoding)) {
        const { channelData, sampleRate } = await decode(audio)
        expect(channelData[0]!.length / sampleRate).toBeCloseTo(seconds, 0)
      }
    },
  )

  it('speaks as many contexts at once as it allows, and words from the start of each', async () => {
    const { socket } = open()
    const contexts = Array.from({ length: 5 }, () =>
      socket.context({ ...voice, audioConfig: pcm, timestampType: 'WORD' }),
    )
    for (const context of contexts) {
      for (const sentence of sentences) {
        context.write(sentence)
        context.flush()
      }
      context.end()
    }
    const spoken = await Promise.all(contexts.map((context) => context.collect()))
    for (const { audio, timestamps } of spoken) {
      expect(audio).toEqual(spoken[0]!.audio)
      expect(timestamps?.words.map(({ text }) => text)).toEqual(sentences.join('').split(' '))
      const starts = timestamps!.words.map(({ startSeconds }) => startSeconds)
      expect(starts).toEqual(starts.toSorted((first, second) => first - second))
      expect(starts[4]).toBeGreaterThan(1)
    }
  })

  it('reports an unknown voice on its context, and a wrong key on all', async () => {
    const { socket } = open()
    const bad = socket.context({ voiceId: 'Nobody' })
    expect(await failureOf(bad.collect())).toMatchObject({ code: 'NOT_FOUND' })
    const good = socket.context(voice)
    good.write('Hi.')
    good.end()
    expect((await good.collect()).audio.length).toBeGreaterThan(1000)
    const rejected = open({ apiKey: 'wrong' }).socket
    expect(await failureOf(rejected.opened())).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('is free for the next text when a reader leaves', async () => {
    const { socket } = open()
    for (let index = 0; index < 8; index++) {
      const context = socket.context({ ...voice, audioConfig: pcm })
      context.write(sentences.join(''))
      context.end()
      for await (const { audio } of context) {
        if (audio.length > 0) break
      }
      await expect.poll(() => socket.freeContexts).toBeGreaterThan(0)
      // A busy machine takes no fifth text, so the service has to have noticed, too.
      await expect.poll(metrics).not.toMatch(/^parlando_speaking_texts\S* [1-9]/m)
    }
  })
})
