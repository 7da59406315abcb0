import { readWavHeader } from '@parlando/core/audio'
import {
  chunksOf,
  close,
  closed,
  connect,
  create,
  flush,
  ok,
  pcm,
  resultsOf,
  sendText,
  settings,
  summary,
} from '@parlando/test-support/local-service/clients/speech-contexts'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../../engines/engine.ts'
import { Scheduler } from '../../../engines/schedule/scheduler.ts'
import { EngineError } from '../../../errors/engine-error.ts'

const testApp = useTestApp()

describe('a context', () => {
  it('speaks its text when it is flushed and when it is closed, and counts the characters', async () => {
    const client = await connect(testApp)
    client.send(create('a'), sendText('a', 'The laundry '), sendText('a', 'is done.'))
    client.send(flush('a'), flush('a'), sendText('a', ' Now it is dry.'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a')).toEqual([
      'contextCreated',
      'audioChunk',
      'flushCompleted',
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
    expect(resultsOf(client)[0]).toEqual({
      contextId: 'a',
      contextCreated: {
        ...settings,
        audioConfig: { ...pcm, speakingRate: 1 },
        bufferCharThreshold: 1000,
        maxBufferDelayMs: 0,
        autoMode: false,
      },
      status: ok,
    })
    const counts = chunksOf(client, 'a').map(({ usage }) => usage.processedCharactersCount)
    expect(new Set(counts)).toEqual(new Set([20, 35]))
  })

  it('sends the audio that a request for the same text gets, with shorter pauses', async () => {
    const response = await testApp.post('/tts/v1/voice:stream', { ...settings, text: 'Good day.' })
    const lines = (await response.text()).trimEnd().split('\n')
    const streamed = lines.map((line) => JSON.parse(line).result.audioContent)
    const expected = Buffer.concat(streamed.map((content) => Buffer.from(content, 'base64')))
    const client = await connect(testApp)
    client.send(create('a'), sendText('a', 'Good day.'), close('a'))
    await closed(client, 'a')
    const contents = chunksOf(client, 'a').map(({ audioContent }) => audioContent)
    const audio = Buffer.concat(contents.map((content) => Buffer.from(content, 'base64')))
    const shorterBytes = Math.round((0.6 - 0.35) * 16_000) * 2
    expect(audio.length).toBe(expected.length - shorterBytes)
    expect(audio.equals(expected.subarray(0, audio.length))).toBe(true)
  })

  it('sends warnings with the first audio of a text', async () => {
    const client = await connect(testApp)
    client.send(
      create('a'),
      sendText('a', 'The 猫 is hungry, and so are we all today.'),
      flush('a'),
    )
    client.send(sendText('a', ' Good day.'), close('a'))
    await closed(client, 'a')
    const codes = chunksOf(client, 'a').map(({ warnings = [] }) =>
      warnings.map(({ code }: { code: string }) => code),
    )
    expect(codes[0]).toEqual(['skipped-characters'])
    expect(codes.slice(1).flat()).toEqual([])
  })

  it('speaks at the threshold, and after the delay', async () => {
    const client = await connect(testApp)
    client.send(create('a', { bufferCharThreshold: 20, maxBufferDelayMs: 30 }))
    client.send(sendText('a', 'The laundry is done and dry'))
    await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(5), { timeout: 20_000 })
    const counts = chunksOf(client, 'a').map(({ usage }) => usage.processedCharactersCount)
    expect([...new Set(counts)]).toEqual([19, 26])
  })

  it('speaks each text at once in auto mode, and ignores a text of white space', async () => {
    const client = await connect(testApp)
    const more = { autoMode: true, timestampType: 'WORD', timestampTransportStrategy: 'ASYNC' }
    client.send(create('a', more), sendText('a', 'Good day.'), sendText('a', ' It rains.'))
    client.send(sendText('a', ' '), flush('a'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a').filter((name) => name === 'flushCompleted')).toHaveLength(2)
    const words = chunksOf(client, 'a').flatMap(({ timestampInfo, audioContent }) => {
      const { words, wordStartTimeSeconds } = timestampInfo!.wordAlignment
      return words.length > 0 ? [{ words, first: wordStartTimeSeconds[0]!, audioContent }] : []
    })
    // The times of each synthesis count from 0.
    expect(words).toEqual([
      { words: ['Good', 'day.'], first: expect.closeTo(0.02, 1), audioContent: '' },
      { words: ['It', 'rains.'], first: expect.closeTo(0.02, 1), audioContent: '' },
    ])
  })

  it('finds the sentences for SENTENCE_BOUNDARY, which earlier models do not support', async () => {
    const client = await connect(testApp)
    const more = { autoMode: true, autoModeStrategy: 'SENTENCE_BOUNDARY' }
    client.send(create('max', { ...more, modelId: 'svc-tts-1.5-max' }))
    client.send(create('mini', { ...more, modelId: 'svc-tts-1.5-mini' }))
    client.send(create('a', more), sendText('a', 'One. T'), sendText('a', 'wo.'), close('a'))
    await closed(client, 'a', 'max', 'mini')
    expect(summary(client, 'a').filter((name) => name === 'flushCompleted')).toHaveLength(2)
    expect(summary(client, 'max')).toEqual([3, 'contextClosed'])
    expect(summary(client, 'mini')).toEqual([3, 'contextClosed'])
  })

  it.each([
    ['WAV', [true, false, true, false]],
    ['LINEAR16', [true, true, true, true]],
    ['PCM', [false, false, false, false]],
  ])('has the headers of %s', async (audioEncoding, headers) => {
    const client = await connect(testApp)
    client.send(create('a', { audioConfig: { ...pcm, audioEncoding } }))
    client.send(sendText('a', 'It is a fine day.', { flushContext: {} }))
    client.send(sendText('a', 'And so it is.'), close('a'))
    await closed(client, 'a')
    let isStart = true
    const found = resultsOf(client, 'a').flatMap(({ audioChunk }) => {
      const isFirst = isStart
      isStart = audioChunk === undefined
      if (!audioChunk) return []
      const header = readWavHeader(Buffer.from(audioChunk.audioContent, 'base64'))
      return [{ isFirst, hasHeader: header !== undefined }]
    })
    const [first, later, firstAgain, laterAgain] = headers
    const firsts = found.filter(({ isFirst }) => isFirst).map(({ hasHeader }) => hasHeader)
    const others = found.filter(({ isFirst }) => !isFirst).map(({ hasHeader }) => hasHeader)
    expect(firsts).toEqual([first, firstAgain])
    expect(new Set(others)).toEqual(new Set([later, laterAgain]))
  })

  it('needs no id if it is the only one, and takes names in snake_case', async () => {
    const client = await connect(testApp)
    client.send({ create: { voice_id: 'Clara', model_id: 'svc-tts-2', audio_config: pcm } })
    client.send({ send_text: { text: 'Hi.', flush_context: {} } }, { close_context: {} })
    await closed(client, '')
    expect(summary(client, '')).toEqual([
      'contextCreated',
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
  })

  it.each([
    ['an empty text, which keeps the connection open', sendText('a', '')],
    ['a second closeContext', close('a')],
    ['flushContext', { contextId: 'a', flushContext: {} }],
  ])(
    'is spoken to its end after it is closed, although the client sends %s',
    async (_what, late) => {
      const client = await connect(testApp)
      client.send(create('a'), sendText('a', 'Good day. '.repeat(20)), close('a'), late)
      await closed(client, 'a')
      expect(summary(client, 'a').slice(-2)).toEqual(['flushCompleted', 'contextClosed'])
    },
  )

  it('ends with an error if a text follows closeContext', async () => {
    const client = await connect(testApp)
    client.send(create('b'), sendText('b', 'Good day.'), close('b'), sendText('b', 'More.'))
    await closed(client, 'b')
    expect(summary(client, 'b').slice(-2)).toEqual([5, 'contextClosed'])
  })

  it('speaks while others speak, and its id is free when it is closed', async () => {
    const client = await connect(testApp)
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const id of ids) client.send(create(id), sendText(id, 'Good day.'), close(id))
    await closed(client, ...ids)
    client.send(create('a'), close('a'))
    await vi.waitFor(() => expect(summary(client, 'a')).toHaveLength(6))
    expect(chunksOf(client, 'e')).toEqual(chunksOf(client, 'b'))
  })
})

describe('an error on a context', () => {
  it('is its status, ends it, and leaves the others', async () => {
    const client = await connect(testApp)
    client.send(create('good'), create('nobody', { voiceId: 'Nobody' }))
    client.send(create('flac', { audioConfig: { audioEncoding: 'FLAC' } }))
    client.send(create('long'), sendText('long', 'a'.repeat(2001)))
    client.send(create('markup'), sendText('markup', 'Hm [laugh] hm.'), flush('markup'))
    client.send(sendText('unknown', 'Hi.'), { contextId: 'empty' })
    await closed(client, 'nobody', 'flac', 'long', 'markup', 'unknown', 'empty')
    client.send(sendText('good', 'Good day.'), close('good'))
    await closed(client, 'good')
    expect(summary(client, 'nobody')).toEqual([5, 'contextClosed'])
    expect(summary(client, 'flac')).toEqual([3, 'contextClosed'])
    expect(summary(client, 'long')).toEqual(['contextCreated', 3, 'contextClosed'])
    expect(summary(client, 'markup')).toEqual(['contextCreated', 12, 'contextClosed'])
    expect(summary(client, 'unknown')).toEqual([5, 'contextClosed'])
    expect(summary(client, 'empty')).toEqual([3, 'contextClosed'])
    expect(summary(client, 'good')).toContain('audioChunk')
    const [, status] = resultsOf(client, 'nobody')
    expect(resultsOf(client, 'nobody')[0]?.status.message).toMatch(/^Unknown voice: Nobody\. /)
    expect(status?.contextClosed).toEqual({})
  })

  it('leaves a context whose id is used twice', async () => {
    const client = await connect(testApp)
    client.send(create('a'), create('a'), sendText('a', 'Hi.'), close('a'))
    await closed(client, 'a')
    expect(summary(client, 'a')).toEqual([
      'contextCreated',
      6,
      'audioChunk',
      'flushCompleted',
      'contextClosed',
    ])
  })

  it('rejects a sixth context', async () => {
    const client = await connect(testApp)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) client.send(create(id))
    await closed(client, 'f')
    expect(summary(client, 'f')).toEqual([8, 'contextClosed'])
  })

  it('rejects more than 100,000 waiting characters', async () => {
    const client = await connect(testApp)
    client.send(create('a', { autoMode: true }))
    const sentence = `${'word '.repeat(399)}end.`
    for (let sent = 0; sent < 110_000; sent += sentence.length) client.send(sendText('a', sentence))
    await closed(client, 'a')
    expect(summary(client, 'a')).toContain(8)
  })

  it('reports an engine that fails, and speaks with other contexts', async () => {
    const failures: unknown[] = []
    const { engine } = testApp.flite
    const failing: Engine = {
      ...engine,
      async speakPhrase(phrase) {
        if (phrase.text.includes('Broken')) throw new EngineError('unavailable', 'It is broken')
        await engine.speakPhrase(phrase)
      },
    }
    const running = { engine: failing, scheduler: new Scheduler(1) }
    const { fetch } = createTestApp(running, (error) => failures.push(error))
    const client = await connect(testApp, { fetch })
    client.send(create('a'), sendText('a', 'Broken.'), flush('a'))
    client.send(create('b'), sendText('b', 'It is fine.'), close('b'))
    await closed(client, 'a', 'b')
    expect(summary(client, 'a')).toEqual(['contextCreated', 14, 'contextClosed'])
    expect(summary(client, 'b')).toContain('flushCompleted')
    expect(failures).toHaveLength(1)
  })
})
