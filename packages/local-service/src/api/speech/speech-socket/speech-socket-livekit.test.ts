import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/clients/socket-client'
import {
  closed,
  path,
  resultsOf,
  summary,
} from '@parlando/test-support/local-service/clients/speech-contexts'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'

// The messages of the text-to-speech plug-in of LiveKit Agents 1.2, and what it does with the results, from its source. Its
// packages take 400 MB, so the plug-in itself runs at night: see test/livekit.

const testApp = useTestApp()
const sampleRateHertz = 24_000
const settings = {
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz, bitrate: 64_000, speakingRate: 1 },
  temperature: 1.1,
  bufferCharThreshold: 100,
  maxBufferDelayMs: 3000,
  timestampType: 'WORD',
  timestampTransportStrategy: 'ASYNC',
  autoMode: true,
}
const sentences = ['The harbour lay still.', ' Two boats came in with the tide.']

async function connect(): Promise<SocketClient> {
  const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
  return connectSocket(baseUrl, path, { headers: { 'x-user-agent': 'livekit-agents-js' } })
}

/** Speaks sentences as the plugin does. */
function stream(client: SocketClient, contextId: string, create: object = settings): void {
  client.send({ create, contextId })
  for (const text of [...sentences, ' ']) client.send({ send_text: { text }, contextId })
  client.send({ flush_context: {}, contextId }, { close_context: {}, contextId })
}

/** The words with their times and the sound, as the plugin adds them up. */
function collect(client: SocketClient, contextId: string) {
  const words: { text: string; startSeconds: number }[] = []
  const sound: Buffer[] = []
  let flushedSeconds = 0
  for (const { audioChunk, flushCompleted } of resultsOf(client, contextId)) {
    const { wordAlignment } = audioChunk?.timestampInfo ?? {}
    for (const [index, text] of wordAlignment?.words.entries() ?? []) {
      const startSeconds = flushedSeconds + wordAlignment!.wordStartTimeSeconds[index]!
      words.push({ text, startSeconds })
    }
    if (audioChunk) sound.push(Buffer.from(audioChunk.audioContent, 'base64'))
    if (flushCompleted) flushedSeconds = Buffer.concat(sound).length / 2 / sampleRateHertz
  }
  return { words, sound }
}

it('the plugin of LiveKit Agents speaks several texts through one connection', async () => {
  const client = await connect()
  for (const contextId of ['dbf7e1d5-429', '0a1b2c3d-4e5']) {
    stream(client, contextId)
    await closed(client, contextId)
    // The last text, a space, is not spoken, and there is nothing to flush.
    const sentence = ['audioChunk', 'flushCompleted']
    expect(summary(client, contextId)).toEqual([
      'contextCreated',
      ...sentences.flatMap(() => sentence),
      'contextClosed',
    ])
    const { words, sound } = collect(client, contextId)
    expect(words.map(({ text }) => text)).toEqual(sentences.join('').split(' '))
    const starts = words.map(({ startSeconds }) => startSeconds)
    expect(starts).toEqual(starts.toSorted((first, second) => first - second))
    expect(starts.at(-1)).toBeGreaterThan(2)
    // It would play the header of a file.
    for (const piece of sound) expect(piece.subarray(0, 4).toString()).not.toBe('RIFF')
  }
})

it('the plugin of LiveKit Agents gets an error of its text before the end of the context', async () => {
  const client = await connect()
  stream(client, 'dbf7e1d5-429', { ...settings, voiceId: 'Nobody' })
  await closed(client, 'dbf7e1d5-429')
  expect(resultsOf(client).slice(0, 2)).toEqual([
    {
      contextId: 'dbf7e1d5-429',
      status: { code: 5, message: expect.stringContaining('Nobody'), details: [] },
    },
    { contextId: 'dbf7e1d5-429', contextClosed: {}, status: { code: 0, message: '', details: [] } },
  ])
})
