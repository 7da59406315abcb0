import {
  lastStatus,
  speak,
  speakAndCatch,
  useSpeak,
} from '@parlando/test-support/node-red/flows/speak-flow'
import type { Message } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const { loadSpeak } = useSpeak()
const audio = Buffer.alloc(480)

/** A service that responds to every request with a chunk, and records the requests. */
const startSpeaker = (more: object = {}) =>
  startTestServer((response) => void response.end(audioLine(audio, more)))

type Asked = { text: string; audioConfig: object }
const askedOf = (server: { requests: { body: unknown }[] }) =>
  server.requests.map(({ body }) => body as Asked)

describe('the text', () => {
  it('loses Markdown, addresses and emoji if selected in the form', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { clean: true } })
    await speak(flow, { payload: '**Done** 🎉, see https://example.org [laugh]' })
    expect(askedOf(server)[0]?.text).toBe('Done, see [laugh]')
  })

  it('is unchanged by default', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload: '**Done**' })
    expect(askedOf(server)[0]?.text).toBe('**Done**')
  })

  it.each([
    ['a number', 21.5, '21.5'],
    ['zero', 0, '0'],
    ['a boolean', false, 'false'],
    ['a large whole number', 12345678901234567890n, '12345678901234567890'],
    ['a date', new Date(2026, 10, 22, 9, 5), 'November 22, 2026 at 9:05 AM'],
  ])('can be %s', async (_what, payload, text) => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload })
    // ICU separates the time with a narrow space.
    expect(askedOf(server)[0]?.text.replace(/\s/g, ' ')).toBe(text)
  })

  it.each([
    ['de-DE', '22. November 2026 um 09:05'],
    ['no language', 'November 22, 2026 at 9:05 AM'],
  ])('has a date in the language of the form: %s', async (language, text) => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { language } })
    await speak(flow, { payload: new Date(2026, 10, 22, 9, 5) })
    expect(askedOf(server)[0]?.text.replace(/\s/g, ' ')).toBe(text)
  })

  it.each([
    ['🎉', /nothing-left/],
    ['https://example.org.', /nothing-left/],
    [' \n', /no-text/],
  ])('that is empty after cleaning reaches Catch: %j', async (payload, message) => {
    const flow = await loadSpeak({ speak: { clean: true } })
    expect(await speakAndCatch(flow, { payload })).toMatchObject({
      payload,
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(message) },
    })
  })
})

describe('further settings', () => {
  it('are the pace and the language of the form, and those of the message', async () => {
    const server = await startSpeaker()
    const settings = { speakingRate: '0.8', language: 'de-DE' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, { payload: 'One', speechOptions: { instruction: 'whisper', language: 'fr' } })
    await speak(flow, { payload: 'Two' })
    expect(askedOf(server)).toMatchObject([
      { language: 'fr', instruction: 'whisper', audioConfig: { speakingRate: 0.8 } },
      { language: 'de-DE' },
    ])
    expect(askedOf(server)[1]).not.toHaveProperty('instruction')
  })

  it('are those of the form if the message has only empty ones', async () => {
    const server = await startSpeaker()
    const settings = { speakingRate: '0.8', language: 'de-DE', encoding: 'PCM' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, {
      payload: 'One',
      audioConfig: { audioEncoding: undefined, sampleRateHertz: '', speakingRate: null },
      speechOptions: { language: '' },
    })
    await speak(flow, { payload: 'Two', audioConfig: null, speechOptions: undefined })
    await speak(flow, { payload: 'Three', audioConfig: '', speechOptions: '' })
    const ofTheForm = {
      language: 'de-DE',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000, speakingRate: 0.8 },
    }
    expect(askedOf(server)).toMatchObject([ofTheForm, ofTheForm, ofTheForm])
  })

  it.each(['mp3', 'wav', 'Pcm'])('are taken in any letter case: %s', async (audioEncoding) => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload: 'One', audioConfig: { audioEncoding } })
    expect(askedOf(server)[0]?.audioConfig).toMatchObject({
      audioEncoding: audioEncoding.toUpperCase(),
      sampleRateHertz: 24_000,
    })
  })

  it('that are misspelt reach Catch with the nearest name, and the status shows them', async () => {
    const flow = await loadSpeak()
    const { error } = await speakAndCatch(flow, {
      payload: 'One',
      audioConfig: { sampleRate: 8000 },
    })
    const cause = 'audioConfig.sampleRate is not a known field'
    expect(error.message).toMatch(`${cause}: did you mean sampleRateHertz?`)
    expect(lastStatus(flow)).toMatchObject({ fill: 'red', text: cause })
  })

  it('that are unknown reach Catch, and no request is sent', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const caught = await speakAndCatch(flow, { payload: 'One', speechOptions: { volume: 11 } })
    expect(caught.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/volume/),
    })
    expect(server.requests).toEqual([])
  })

  it('are the defaults of the form if a flow has none', async () => {
    const server = await startSpeaker()
    const settings = { model: undefined, encoding: undefined, sampleRate: undefined }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toMatchObject([
      {
        modelId: 'svc-tts-2',
        audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 24_000 },
      },
    ])
  })

  it('are the same for a flow that was saved by an earlier version', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toEqual([
      {
        text: 'One',
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 24000 },
      },
    ])
  })

  it('are those of the service if the fields of the node are empty', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({
      baseUrl: server.baseUrl,
      service: { voice: 'Ralph', model: 'svc-tts-2-flash', encoding: 'PCM' },
      speak: { voice: '', model: '', encoding: '' },
    })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toMatchObject([
      { voiceId: 'Ralph', modelId: 'svc-tts-2-flash', audioConfig: { audioEncoding: 'PCM' } },
    ])
  })
})

describe('the times of the words', () => {
  type Timed = Message & { timestamps?: { text: string }[] }

  const timestampInfo = (words: string[], starts: number[]) => ({
    timestampInfo: {
      wordAlignment: {
        words,
        wordStartTimeSeconds: starts,
        wordEndTimeSeconds: starts.map((start) => start + 0.2),
      },
    },
  })

  it('are sent with their chunk, and all of them with the last message', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(audio, timestampInfo(['Good'], [0])))
      response.write(audioLine(audio))
      response.end(audioLine(Buffer.alloc(0), timestampInfo(['morning'], [0.5])))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { timestamps: true } })
    const messages = await speak(flow, { payload: 'Good morning' })
    const textsOf = (message: Timed) => message.timestamps?.map(({ text }) => text)
    expect(messages.map(textsOf)).toEqual([['Good'], undefined, ['Good', 'morning']])
    expect(messages.at(-1)).toMatchObject({
      timestamps: [{ startSeconds: 0, endSeconds: 0.2 }, { startSeconds: 0.5 }],
      audio: { bytes: 44 + 2 * audio.length },
    })
    expect(server.requests[0]?.body).toMatchObject({ timestampType: 'WORD' })
  })

  it('may be 200,000 in one chunk', async () => {
    const words = Array.from({ length: 200_000 }, () => 'a')
    const starts = words.map(() => 0)
    const server = await startTestServer((response) => {
      response.end(audioLine(audio, timestampInfo(words, starts)))
    })
    const speakNode = { timestamps: true, output: 'whole' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: speakNode })
    const [message] = await speak(flow, { payload: 'Good morning' })
    expect((message as Timed).timestamps).toHaveLength(words.length)
  })

  it('are not shared between messages, so that a flow may change them', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(audio, timestampInfo(['Good'], [0])))
      response.end(audioLine(audio, timestampInfo(['morning'], [0.5])))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { timestamps: true } })
    flow.node('out').on('input', (message) => {
      for (const word of (message as Timed).timestamps ?? []) word.text += '!'
    })
    const messages = await speak(flow, { payload: 'Good morning' })
    const textsOf = (message: Timed) => message.timestamps?.map(({ text }) => text)
    expect(messages.map(textsOf)).toEqual([['Good!'], ['morning!'], ['Good!', 'morning!']])
  })

  it.each(['chunks', 'whole'])('are not those of earlier audio: %s', async (output) => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { output } })
    const timestamps = [{ text: 'Bye', startSeconds: 0, endSeconds: 1 }]
    const messages = await speak(flow, { payload: 'Good morning', timestamps })
    expect(messages.map((message) => 'timestamps' in message)).not.toContain(true)
  })
})

describe('msg.audio', () => {
  it('counts the characters, and uses the count of the service if available', async () => {
    const server = await startSpeaker({ usage: { processedCharactersCount: 99 } })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const messages = await speak(flow, { payload: 'Hello' })
    expect(messages.at(-1)).toMatchObject({ audio: { characters: 99 } })
  })
})
