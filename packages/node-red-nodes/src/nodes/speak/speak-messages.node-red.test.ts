import { readWavHeader } from '@parlando/core/audio'
import {
  lastStatus,
  speak,
  speakAndCatch,
  useSpeak,
} from '@parlando/test-support/node-red/flows/speak-flow'
import type { Message } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const text = 'The laundry is done, and the dishes are clean.'
const { loadSpeak } = useSpeak()

describe('a message per chunk', () => {
  it('has parts with an increasing index, and a final empty Buffer with their count', async () => {
    const messages = await speak(await loadSpeak(), {
      payload: text,
      topic: 'laundry',
      _msgid: 'm',
    })
    expect(messages.length).toBeGreaterThan(3)
    const ids = new Set(messages.map(({ parts }) => (parts as { id: string }).id))
    expect(ids.size).toBe(1)
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1
      expect(message).toMatchObject({ topic: 'laundry', _msgid: 'm' })
      expect(message.parts).toMatchObject({ index, type: 'buffer' })
      expect(message.payload).toBeInstanceOf(Buffer)
      expect((message.payload as Buffer).length === 0).toBe(isLast)
      expect(message['complete']).toBe(isLast ? true : undefined)
      const { count } = message['parts'] as { count?: number }
      expect(count).toBe(isLast ? messages.length : undefined)
    }
  })

  it('is combined by a core join into one WAV of the length in msg.audio', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: text })
    const [joined] = await flow.waitFor('joined', 1)
    const file = joined!.payload as Buffer
    expect(readWavHeader(file)).toMatchObject({ sampleRateHertz: 24000, channels: 1 })
    const seconds = (file.length - 44) / 2 / 24000
    expect(seconds).toBeGreaterThan(2)
    expect(joined).toMatchObject({
      audio: {
        encoding: 'WAV',
        mediaType: 'audio/wav',
        sampleRateHertz: 24000,
        channels: 1,
        bytes: file.length,
        durationSeconds: expect.closeTo(seconds, 2),
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        firstAudioMs: expect.any(Number),
        usage: { processedCharactersCount: text.length, modelId: 'svc-tts-2' },
      },
    })
  })

  it('keeps the parts of an outer sequence and removes an earlier "complete"', async () => {
    const parts = { id: 'outer', index: 2, count: 3, type: 'buffer' }
    const messages = await speak(await loadSpeak(), {
      payload: text,
      parts: { ...parts, type: 'string', ch: ' ' },
      complete: true,
    })
    expect(messages.map(({ complete }) => complete).filter(Boolean)).toEqual([true])
    expect(messages.every((message) => (message.parts as { parts: object }).parts)).toBe(true)
    expect(messages.at(-1)?.['parts']).toHaveProperty('parts', parts)
    expect(messages.at(-1)).toMatchObject({ complete: true })
  })

  it('has a new sequence for each utterance of one message', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: 'One.', _msgid: 'same' })
    const messages = await speak(flow, { payload: 'Two.', _msgid: 'same' })
    expect(new Set(messages.map(({ parts }) => (parts as { id: string }).id)).size).toBe(2)
  })

  it('shows a blue dot during work, and a green dot with duration and first audio', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: text })
    expect(flow.statuses('speak')[0]).toMatchObject({ fill: 'blue', shape: 'dot' })
    const green = { fill: 'green', shape: 'dot', text: 'speak.status.spoke' }
    expect(lastStatus(flow)).toMatchObject(green)
    expect(JSON.stringify(flow.statuses('speak'))).not.toContain('laundry')
  })
})

describe('one message with all audio', () => {
  it.each([
    ['chunks', 'yellow', /whole-audio\.file$/],
    ['whole', 'green', /spoke/],
  ])('warns of chunks that overwrite a file, in yellow: %s', async (output, fill, text) => {
    const file = { id: 'file', type: 'file', z: 'tab', filename: '', overwriteFile: 'true' }
    const wires = [['out', 'join', 'file']]
    const flow = await loadSpeak({ speak: { output, wires }, nodes: [file] })
    await speak(flow, { payload: 'The laundry is done.' })
    expect(lastStatus(flow)).toMatchObject({ fill, text: expect.stringMatching(text) })
  })

  it('is the incoming message with a file of the correct length and no parts', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    const messages = await speak(flow, { payload: text, topic: 'laundry' })
    expect(messages.length).toBe(1)
    const [message] = messages as [Message]
    const file = message.payload as Buffer
    expect(readWavHeader(file)?.dataBytes).toBe(file.length - 44)
    expect(message).toMatchObject({ topic: 'laundry', audio: { bytes: file.length } })
    expect(message).not.toHaveProperty('parts')
  })

  it('is MP3 of the length in msg.audio', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole', encoding: 'MP3' } })
    const [mp3] = (await speak(flow, { payload: text })) as [Message]
    const [, wav] = (await speak(flow, {
      payload: text,
      audioConfig: { audioEncoding: 'WAV' },
    })) as [Message, Message]
    const secondsOf = (message: Message) =>
      (message['audio'] as { durationSeconds: number }).durationSeconds
    expect(secondsOf(mp3)).toBeGreaterThan(secondsOf(wav))
    expect(secondsOf(mp3)).toBeLessThan(secondsOf(wav) * 1.1)
  })

  it('is an MP3 file with its length in an info frame, but only its audio in a sequence', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole', encoding: 'MP3' } })
    const parts = { id: 'a', index: 0, count: 1 }
    for (const [message, expected] of [
      [{ payload: 'Hello.' }, true],
      [{ payload: 'Hello.', parts }, false],
    ] as const) {
      const messages = (await speak(flow, message)) as Message[]
      const { payload, audio } = messages.at(-1)! as { payload: Buffer; audio: { bytes: number } }
      expect(payload.subarray(0, 100).includes('Info')).toBe(expected)
      expect(audio.bytes).toBe(payload.length)
    }
  })
})

describe('settings', () => {
  it('use a sample rate that the encoding of the message supports', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole', voice: ' Clara ' } })
    const [message] = await speak(flow, { payload: text, audioConfig: { audioEncoding: 'MULAW' } })
    expect(message).toMatchObject({
      audio: { encoding: 'MULAW', sampleRateHertz: 8000, voiceId: 'Clara' },
    })
  })

  it('come from the message for that message only', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    await speak(flow, {
      payload: text,
      voiceId: 'Kit',
      modelId: 'svc-tts-2-flash',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 8000 },
    })
    const messages = await speak(flow, { payload: text })
    expect(messages).toMatchObject([
      {
        audio: {
          voiceId: 'Kit',
          modelId: 'svc-tts-2-flash',
          encoding: 'PCM',
          sampleRateHertz: 8000,
        },
      },
      {
        audio: { voiceId: 'Clara', modelId: 'svc-tts-2', encoding: 'WAV', sampleRateHertz: 24000 },
      },
    ])
  })

  it('use a voice of the language by default', async () => {
    const flow = await loadSpeak({ speak: { voice: '' } })
    const [first] = await speak(flow, { payload: 'Hello' })
    expect(first).toMatchObject({ audio: { voiceId: 'Heart' } })
  })

  it('use the new first voice after the previous one was deleted', async () => {
    let voiceId = 'Old'
    const server = await startTestServer((response, { method }) => {
      if (method === 'GET') return void response.end(JSON.stringify({ voices: [{ voiceId }] }))
      const { body } = server.requests.at(-1)!
      if ((body as { voiceId: string }).voiceId === voiceId) {
        return void response.end(audioLine(Buffer.alloc(480)))
      }
      response.statusCode = 404
      response.end('{"code":5,"message":"no such voice"}')
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { voice: '' } })
    await speak(flow, { payload: 'One' })
    voiceId = 'New'
    expect(await speakAndCatch(flow, { payload: 'Two' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
    const messages = await speak(flow, { payload: 'Three' })
    expect(messages.at(-1)).toMatchObject({ audio: { voiceId: 'New' } })
  })

  it('take the text from msg.payload by default in a hand-written flow', async () => {
    const flow = await loadSpeak({ speak: { text: undefined, textType: undefined } })
    const [first] = await speak(flow, { payload: 'Hello' })
    expect(first).toMatchObject({ audio: { characters: 5 } })
  })

  it.each([
    ['a fixed text', { text: 'Hello there', textType: 'str' }, { payload: 7 }],
    ['an expression', { text: '"Hello " & name', textType: 'jsonata' }, { name: 'you' }],
    ['another property', { text: 'say.this', textType: 'msg' }, { say: { this: 'Hello' } }],
  ])('take the text from %s', async (_what, setting, message) => {
    const flow = await loadSpeak({ speak: { ...setting, output: 'whole' } })
    const messages = await speak(flow, message)
    expect((messages[0]!['audio'] as { durationSeconds: number }).durationSeconds).toBeGreaterThan(
      0.3,
    )
  })

  it('never send a message to another service', async () => {
    const elsewhere = await startTestServer((response) => void response.end())
    const flow = await loadSpeak()
    await speak(flow, {
      payload: text,
      baseUrl: elsewhere.baseUrl,
      service: 'x',
      apiKey: keys.typed,
    })
    expect(elsewhere.requests).toEqual([])
  })
})

describe('a message from http in', () => {
  it('gets a content type, unless the flow has set one', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    const res = { _res: {} }
    await speak(flow, { payload: 'One', res })
    await speak(flow, { payload: 'Two', res, headers: { 'Content-Type': 'audio/x-mine' } })
    await speak(flow, { payload: 'Three' })
    const headers = flow.received('out').map((message) => message['headers'])
    expect(headers).toEqual([
      { 'content-type': 'audio/wav' },
      { 'Content-Type': 'audio/x-mine' },
      undefined,
    ])
  })
})
