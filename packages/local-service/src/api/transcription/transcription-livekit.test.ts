import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import type { RunningEngine } from '../../engines/engine-registry.ts'
import { readModelAliases } from '../../requests/model-names.ts'

// The messages of the speech-to-text plugin of LiveKit Agents, from its source. Its version on npm has no speech-to-text.
const modelId = 'vendor/stt-1'
const transcribeConfig = {
  modelId,
  audioEncoding: 'LINEAR16',
  sampleRateHertz: 16_000,
  numberOfChannels: 1,
  language: 'en-US',
  voiceProfileConfig: { enableVoiceProfile: true, topN: 1 },
}
const streamConfig = {
  ...transcribeConfig,
  endOfTurnConfidenceThreshold: 0.3,
  vendorSttV1Config: { minEndOfTurnSilenceWhenConfident: 200 },
}

const speech = Buffer.concat(
  [new Int16Array(16_000), voicedSound({ seconds: 1 }), new Int16Array(16_000)].map(({ buffer }) =>
    Buffer.from(buffer),
  ),
)
/** The plugin sends frames of 100 ms. */
const frames = Array.from({ length: speech.length / 3200 }, (_, index) => {
  const frame = speech.subarray(index * 3200, (index + 1) * 3200)
  return { audioChunk: { content: frame.toString('base64') } }
})

function open() {
  const failOnReport = (error: unknown) => {
    throw error
  }
  const app = createTestApp({} as RunningEngine, failOnReport, undefined, {
    recognisers: new Map([['fake', createFakeRecogniser()]]),
    modelAliases: readModelAliases([`${modelId}=svc/svc-stt-1`], { strict: false }),
  })
  return openTestServer({ fetch: app.fetch })
}

it('a client sets in the object of its recogniser when a turn ends, as pipecat does to end the turns itself', async () => {
  const { baseUrl } = await open()
  const client = await connectSocket(baseUrl, '/stt/v1/transcribe:streamBidirectional')
  const config = { ...transcribeConfig, vendorSttV1Config: { vadThreshold: 0 } }
  client.send({ transcribeConfig: config }, ...frames, { endTurn: {} }, { closeStream: {} })
  expect(await client.closed).toBe(1000)
  const names = client.received.flatMap((message) =>
    Object.keys((message as { result: object }).result),
  )
  expect(names).toContain('transcription')
  expect(names).not.toContain('speechStarted')
})

describe('the plugin of LiveKit Agents', () => {
  it('receives the start of speech and one final transcript with text per turn', async () => {
    const { baseUrl } = await open()
    const client = await connectSocket(baseUrl, '/stt/v1/transcribe:streamBidirectional')
    client.send({ transcribeConfig: streamConfig }, ...frames, { endTurn: {} }, { closeStream: {} })
    expect(await client.closed).toBe(1000)
    const results = client.received.map((message) => (message as { result: object }).result)
    const names = results.flatMap((result) => Object.keys(result))
    expect(names).not.toContain('error')
    expect(names.filter((name) => name === 'speechStarted')).toHaveLength(1)
    const texts = results.flatMap((result) =>
      'transcription' in result ? (result.transcription as object) : [],
    )
    expect(texts).toContainEqual({ transcript: expect.stringMatching(/ ms$/), isFinal: false })
    const finals = texts.filter((text) => 'isFinal' in text && text.isFinal)
    // The plugin ends the turn again at the end of the audio; it skips the empty transcript of that.
    expect(finals).toMatchObject([{ transcript: expect.stringMatching(/ ms$/) }, {}])
  })

  it('receives the transcript of a whole recording', async () => {
    const { baseUrl } = await open()
    const response = await fetch(`${baseUrl}/stt/v1/transcribe`, {
      method: 'POST',
      headers: { authorization: 'Basic any', 'content-type': 'application/json' },
      body: JSON.stringify({
        transcribeConfig,
        audioData: { content: speech.toString('base64') },
      }),
    })
    expect(await response.json()).toMatchObject({
      transcription: { transcript: expect.stringMatching(/ ms$/), isFinal: true },
    })
  })
})
