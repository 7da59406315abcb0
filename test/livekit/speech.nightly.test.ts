import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { loadPlugins, type Plugins, type SynthesizedAudio } from './plugins.ts'

const testApp = useTestApp()
let plugins: Plugins
beforeAll(() => {
  plugins = loadPlugins()
}, 60_000)

const text =
  'The harbour lay still. Two boats came in with the tide, and nobody had seen them before.'

async function openSpeech() {
  const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
  const speech = plugins.createSpeech({
    apiKey: 'any',
    voice: 'Clara',
    model: 'svc-tts-2',
    encoding: 'PCM',
    timestampType: 'WORD',
    baseURL: `${baseUrl}/`,
    wsURL: `${baseUrl.replace('http', 'ws')}/`,
  })
  onTestFinished(() => speech.close())
  return speech
}

async function collect(audio: AsyncIterable<SynthesizedAudio>) {
  let seconds = 0
  const words: string[] = []
  for await (const piece of audio) {
    if (typeof piece === 'symbol') continue
    seconds += piece.frame.samplesPerChannel / piece.frame.sampleRate
    words.push(...(piece.timedTranscripts ?? []).map((word) => word.text))
  }
  return { seconds, words: words.join(' ') }
}

it('streams speech and its words, several utterances over one connection', async () => {
  const speech = await openSpeech()
  for (let utterance = 0; utterance < 3; utterance++) {
    const stream = speech.stream()
    // As a language model writes.
    for (const word of text.split(/(?<= )/)) stream.pushText(word)
    stream.flush()
    stream.endInput()
    expect(await collect(stream)).toEqual({ seconds: expect.closeTo(5.9, 0), words: text })
  }
})

it('speaks a whole text', async () => {
  const speech = await openSpeech()
  const { seconds } = await collect(speech.synthesize('The laundry is done.'))
  expect(seconds).toBeGreaterThan(1)
})
