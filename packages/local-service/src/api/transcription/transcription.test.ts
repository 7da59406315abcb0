import { writeWavHeader } from '@parlando/core/audio'
import { transcriptionResponseSchema } from '@parlando/core/wire'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

const recogniser = createFakeRecogniser()
const service = useTestApp({ recognisers: new Map([['fake', recogniser]]) })
const mute = useTestApp({ recognisers: new Map() })
beforeEach(() => {
  recogniser.requests = []
  recogniser.utterance = {}
})

const silence = (ms: number) => new Int16Array(ms * 16)
const voice = (ms: number) => voicedSound({ seconds: ms / 1000 })

function pcmOf(...sounds: Int16Array[]): Buffer {
  return Buffer.concat(sounds.map(({ buffer }) => Buffer.from(buffer)))
}

function wavOf(...sounds: Int16Array[]): Buffer {
  const pcm = pcmOf(...sounds)
  const header = writeWavHeader({ sampleRateHertz: 16_000, dataBytes: pcm.length })
  return Buffer.concat([header, pcm])
}

/** A second of voice, twice. */
const twoTurns = wavOf(silence(1000), voice(1000), silence(1500), voice(1000), silence(1000))

describe('GET /stt/v1/models', () => {
  it('lists the models of the recognisers', async () => {
    const response = await service.app.request('/stt/v1/models')
    const model = {
      modelId: 'fake/model',
      displayName: 'Fake',
      langCodes: ['EN_US'],
      hasInterimResults: true,
      timesWords: true,
      matchesSentences: true,
    }
    expect(await response.json()).toEqual({ models: [model] })
  })

  it('is empty without a recogniser', async () => {
    expect(await (await mute.app.request('/stt/v1/models')).json()).toEqual({ models: [] })
  })
})

describe('POST /stt/v1/transcribe', () => {
  const transcribe = (audio: Buffer, transcribeConfig: object = {}, { post } = service) =>
    post('/stt/v1/transcribe', {
      transcribeConfig,
      audioData: { content: audio.toString('base64') },
    })

  it('joins the turns of a recording, with the times of the words in the recording', async () => {
    const words = [{ text: 'hi', startSeconds: 0.3, endSeconds: 0.5, confidence: 0.5 }]
    const facts = { confidence: 0.8, language: 'en' }
    recogniser.utterance = { text: 'hi', words, ...facts }
    const response = await transcribe(twoTurns, { includeWordTimestamps: true })
    const { transcription, usage } = transcriptionResponseSchema.parse(await response.json())
    expect(transcription).toMatchObject({ transcript: 'hi hi', isFinal: true, ...facts })
    expect(usage).toEqual({ transcribedAudioMs: 5500, modelId: 'fake/model' })
    const [first, second] = transcription.wordTimestamps!
    expect(first).toMatchObject({ word: 'hi', confidence: 0.5 })
    expect(first!.startTimeMs).toBeGreaterThan(800)
    expect(first!.startTimeMs).toBeLessThan(1200)
    expect(second!.startTimeMs - first!.startTimeMs).toBeGreaterThan(2400)
    expect(second!.startTimeMs - first!.startTimeMs).toBeLessThan(2600)
  })

  it('accepts PCM as LINEAR16, of any rate and number of channels', async () => {
    const pcm = pcmOf(silence(1000), voice(1000))
    const config = { audioEncoding: 'LINEAR16', sampleRateHertz: 8000, numberOfChannels: 2 }
    const { usage } = (await (await transcribe(pcm, config)).json()) as { usage: object }
    expect(usage).toMatchObject({ transcribedAudioMs: 2000 })
    const asWav = await transcribe(twoTurns, { audioEncoding: 'LINEAR16' })
    expect(((await asWav.json()) as typeof usage) && recogniser.requests).toHaveLength(3)
  })

  it('passes the settings to the recogniser, in camelCase or snake_case', async () => {
    const { post } = service
    const response = await post('/stt/v1/transcribe', {
      transcribe_config: {
        model_id: 'svc/svc-stt-1',
        language: 'en-GB',
        prompts: ['Clara'],
        include_word_timestamps: true,
        sentences: ['go on'],
      },
      audio_data: { content: wavOf(silence(500), voice(800)).toString('base64') },
    })
    expect(response.status).toBe(200)
    expect(recogniser.requests).toMatchObject([
      {
        modelId: 'fake/model',
        language: 'en-GB',
        prompts: ['Clara'],
        withWords: true,
        sentences: ['go on'],
      },
    ])
  })

  it('takes a sentence with a pause for one turn, and never two turns for a sentence', async () => {
    const sentenceMatch = { sentence: 'go on', nearest: [] }
    recogniser.utterance = { text: 'go on', sentenceMatch }
    const sentences = ['go on', 'stop']
    const one = await transcribe(twoTurns, { sentences })
    expect(await one.json()).toMatchObject({
      transcription: { transcript: 'go on', sentenceMatch },
    })
    const apart = wavOf(voice(1000), silence(3000), voice(1000), silence(1000))
    const two = await transcribe(apart, { sentences })
    expect(await two.json()).toMatchObject({
      transcription: {
        transcript: 'go on go on',
        sentenceMatch: { sentence: null, nearest: ['go on'], reason: 'different' },
      },
    })
  })

  it('returns an empty transcript for silence', async () => {
    const response = await transcribe(wavOf(silence(3000)))
    expect(await response.json()).toMatchObject({ transcription: { transcript: '' } })
  })

  it.each([
    ['no audio', Buffer.alloc(0), 'audioData.content: the audio is empty'],
    ['a text', Buffer.from('hello, this is not audio'), 'is not a WAV, MP3'],
    ['an M4A', Buffer.from('\0\0\0\x18ftypM4A \0\0\0\0'), 'is AAC (M4A)'],
    [
      'an empty MP3',
      Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500, 1)]),
      'contains no audio',
    ],
  ])('rejects %s', async (_name, audio, message) => {
    const response = await transcribe(audio)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toContain(message)
  })

  it.each(['open', 'write', 'end'] as const)(
    'stops the recogniser if its client disconnects in %s',
    async (stage) => {
      const leaving = new AbortController()
      recogniser.onWork = (work) => {
        if (work === stage) leaving.abort()
      }
      onTestFinished(() => {
        recogniser.onWork = () => {}
      })
      const content = twoTurns.toString('base64')
      const body = JSON.stringify({ transcribeConfig: {}, audioData: { content } })
      const request = { method: 'POST', body, signal: leaving.signal }
      await service.app.request('/stt/v1/transcribe', request)
      expect(recogniser.requests).toHaveLength(1)
      expect(recogniser.requests[0]!.signal.aborted).toBe(true)
      expect(recogniser.running).toBe(0)
    },
  )

  it('rejects text that is not base64', async () => {
    const body = { transcribeConfig: {}, audioData: { content: 'data:audio/wav;base64,AAAA' } }
    expect((await service.post('/stt/v1/transcribe', body)).status).toBe(400)
    const spaces = { transcribeConfig: {}, audioData: { content: 'AA AA' } }
    expect((await service.post('/stt/v1/transcribe', spaces)).status).toBe(400)
  })

  it('names the known models and languages', async () => {
    const unknown = await transcribe(twoTurns, { modelId: 'other/model' })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('This service has fake/model')
    const language = await transcribe(twoTurns, { language: 'fr-FR' })
    expect(language.status).toBe(400)
    expect(await language.text()).toContain('known languages: EN_US')
  })

  it('says how to install a recogniser if there is none', async () => {
    const response = await transcribe(twoTurns, {}, mute)
    expect(response.status).toBe(501)
    const { message } = (await response.json()) as { message: string }
    expect(message).toContain('click "Install a speech recogniser" in the form of a listen node')
    expect(message).toContain('parlando-local recognisers add kroko-en')
    expect(message).toContain('sudo apt install pocketsphinx pocketsphinx-en-us')
  })

  it('counts recognitions, and lists the models', async () => {
    const health = await service.app.request('/healthz')
    expect(await health.json()).toMatchObject({ recognisers: ['fake/model'] })
    const models = await service.app.request('/v1/models')
    expect(await models.text()).toContain('"id":"fake/model"')
  })
})

describe('POST /v1/audio/transcriptions', () => {
  const upload = (fields: Record<string, string>, file: Buffer | undefined = twoTurns) => {
    const form = new FormData()
    if (file) form.set('file', new Blob([new Uint8Array(file)]), 'audio.wav')
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return service.app.request('/v1/audio/transcriptions', { method: 'POST', body: form })
  }
  const model = 'fake/model'

  it('streams the text of each turn', async () => {
    recogniser.utterance = { text: 'hi' }
    const response = await upload({ model, stream: 'true' })
    const events = (await response.text()).split('\n\n').filter(Boolean)
    expect(events.map((event) => JSON.parse(event.slice('data: '.length)))).toEqual([
      { type: 'transcript.text.delta', delta: 'hi' },
      { type: 'transcript.text.delta', delta: ' hi' },
      { type: 'transcript.text.done', text: 'hi hi', usage: { type: 'duration', seconds: 6 } },
    ])
  })

  it.each([
    ['no file', { model }, Buffer.alloc(0), 'file: the audio is empty'],
    ['no model', {}, twoTurns, 'model'],
    ['an unknown format', { model, response_format: 'docx' }, twoTurns, undefined],
  ])('handles %s', async (_name, fields, file, message) => {
    const response = await upload(fields as Record<string, string>, file)
    // As elsewhere, an unknown value of an optional field is ignored and reported.
    if (!message) return expect(response.headers.get('x-parlando-ignored')).toBe('response_format')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining(message), type: 'invalid_request_error' },
    })
  })

  const manyParts = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(80)

  it('takes an empty language as none, as LiveKit sends it', async () => {
    recogniser.utterance = { text: 'hi' }
    expect((await upload({ model, language: '' })).status).toBe(200)
  })

  it('reads a form whose names have no quotes, as .NET writes it', async () => {
    recogniser.utterance = { text: 'hi' }
    const part = (disposition: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
    const file = part(
      "name=file; filename=a.wav; filename*=utf-8''a.wav",
      twoTurns.toString('latin1'),
    )
    const body = Buffer.from(`${part('name=model', model)}${file}--x--`, 'latin1')
    const headers = { 'content-type': 'multipart/form-data; boundary="x"' }
    const response = await service.app.request('/v1/audio/transcriptions', {
      method: 'POST',
      headers,
      body,
    })
    expect(await response.json()).toMatchObject({ text: expect.stringContaining('hi') })
  })

  it.each([
    ['text/plain', 'hello', 'is not a form'],
    ['multipart/form-data', 'hello', 'is not a form'],
    ['multipart/form-data; boundary=x', 'hello', 'does not contain its boundary'],
    ['multipart/form-data; boundary=x', '--x\r\nhello', 'ends in the middle of a part'],
    ['multipart/form-data; boundary=x', '--x\r\nhello\r\n--x--', 'a part without a header'],
    ['multipart/form-data; boundary=x', '--x\r\nA: b\r\n\r\nc\r\n--x--', 'a part without a name'],
    ['multipart/form-data; boundary=x', manyParts, 'more than 64 parts'],
  ])('rejects the form %s %s', async (type, body, message) => {
    const headers = { 'content-type': type }
    const request = { method: 'POST', headers, body }
    const response = await service.app.request('/v1/audio/transcriptions', request)
    expect([400, 415]).toContain(response.status)
    expect(await response.text()).toContain(message)
  })

  it('writes subtitles', async () => {
    recogniser.utterance = { text: 'hi' }
    const srt = await (await upload({ model, response_format: 'srt' })).text()
    expect(srt).toMatch(
      /^1\n00:00:00,\d{3} --> 00:00:0[12],\d{3}\nhi\n\n2\n00:00:03,\d{3} --> 00:00:0\d,\d{3}\nhi\n$/,
    )
    const vtt = await upload({ model, response_format: 'vtt' })
    expect(vtt.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(await vtt.text()).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> /)
  })
})
