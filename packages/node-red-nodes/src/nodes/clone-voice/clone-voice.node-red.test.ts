import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWavHeader } from '@parlando/core/audio'
import { send, sendAndCatch } from '@parlando/test-support/node-red/flows/flow-harness'
import { useVoicesNode } from '@parlando/test-support/node-red/flows/voices-flow'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'

const { loadNode } = useVoicesNode('parlando-clone-voice', {
  from: 'message',
  samples: 'payload',
  samplesType: 'msg',
  files: '',
  voiceName: 'Grandma',
  voiceNameType: 'str',
  langCode: 'EN_US',
  removeBackgroundNoise: false,
})

/** A WAV file of this length; the service of these tests ignores its contents. */
function recording(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * 16_000 * 2, 7)
  const header = writeWavHeader({ sampleRateHertz: 16_000, dataBytes: samples.length })
  return Buffer.concat([header, samples])
}

const startCloner = (answer: object = {}) =>
  startTestServer((response) => {
    const voice = { voiceId: 'w__grandma', displayName: 'Grandma' }
    response.end(JSON.stringify({ voice, ...answer }))
  })

const sentTo = (server: Awaited<ReturnType<typeof startCloner>>) =>
  server.requests.map(({ body }) => body as { voiceSamples: { audioData: string }[] })

describe('a clone', () => {
  it('is made from a Buffer with the name of the form, and sets its id for speak', async () => {
    const server = await startCloner()
    const flow = await loadNode(server)
    const [message] = await send(flow, 'node', { payload: recording(8), topic: 'mine' })
    expect(message).toMatchObject({
      payload: { voiceId: 'w__grandma' },
      voiceId: 'w__grandma',
      warnings: [],
      topic: 'mine',
    })
    expect(sentTo(server)).toMatchObject([
      {
        displayName: 'Grandma',
        langCode: 'EN_US',
        voiceSamples: [{ audioData: recording(8).toString('base64') }],
        audioProcessingConfig: { removeBackgroundNoise: false },
      },
    ])
    expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'green' })
  })

  it('is made from several Buffers or from uploaded files', async () => {
    const server = await startCloner()
    const flow = await loadNode(server)
    await send(flow, 'node', { payload: [recording(8), recording(9)] })
    await send(flow, 'node', { payload: [{ originalname: 'a.wav', buffer: recording(10) }] })
    expect(sentTo(server).map(({ voiceSamples }) => voiceSamples.length)).toEqual([2, 1])
  })

  it('is made from msg.payload by default in a hand-written flow', async () => {
    const server = await startCloner()
    const flow = await loadNode(server, { samples: undefined, samplesType: undefined })
    await send(flow, 'node', { payload: recording(8) })
    expect(sentTo(server)[0]?.voiceSamples.length).toBe(1)
  })

  it('uses the settings of the form by default', async () => {
    const server = await startCloner()
    const flow = await loadNode(server, { removeBackgroundNoise: true })
    const nothing = { displayName: '', langCode: '', removeBackgroundNoise: '' }
    await send(flow, 'node', { payload: recording(8), ...nothing })
    expect(sentTo(server)).toMatchObject([
      {
        displayName: 'Grandma',
        langCode: 'EN_US',
        audioProcessingConfig: { removeBackgroundNoise: true },
      },
    ])
  })

  it('is made from files that the form names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlando-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const files = [join(folder, 'one.wav'), join(folder, 'two.wav')]
    for (const file of files) await writeFile(file, recording(8))
    const server = await startCloner()
    const flow = await loadNode(server, { from: 'files', files: `${files.join('\n')}\n\n` })
    await send(flow, 'node', { payload: 'go', files: '/etc/passwd' })
    expect(sentTo(server)[0]?.voiceSamples.length).toBe(2)
  })

  it('takes settings from the message for that message only', async () => {
    const server = await startCloner()
    const flow = await loadNode(server)
    const settings = { displayName: 'Me', langCode: 'DE_DE', removeBackgroundNoise: true }
    await send(flow, 'node', { payload: recording(8), ...settings, tags: ['family'] })
    await send(flow, 'node', { payload: recording(8) })
    expect(sentTo(server)).toMatchObject([
      { displayName: 'Me', langCode: 'DE_DE', tags: ['family'] },
      { displayName: 'Grandma', langCode: 'EN_US' },
    ])
  })

  it('reports problems in msg.warnings and in the status', async () => {
    const audioSamplesValidated = [{ warnings: [{ code: 'noisy', text: 'There is noise' }] }]
    const server = await startCloner({ audioSamplesValidated })
    const flow = await loadNode(server)
    const [message] = await send(flow, 'node', { payload: recording(2) })
    expect(message).toMatchObject({ warnings: [expect.any(String), expect.any(String)] })
    expect(flow.statuses('node').at(-1)).toMatchObject({ text: /with-warnings/ })
  })
})

describe('a failure', () => {
  it.each([
    ['no recording', { payload: undefined }, {}, /no-samples/],
    ['an empty array', { payload: [] }, {}, /no-samples/],
    ['a text', { payload: 'grandma.wav' }, {}, /not-audio/],
    ['a Buffer without audio', { payload: [recording(8), Buffer.from('no')] }, {}, /sample 2/],
    ['a recording above 4 MB', { payload: Buffer.alloc(5_000_000, 'RIFF') }, {}, /sample 1/],
    ['no file named', { payload: '' }, { from: 'files' }, /no-files/],
    ['a file that is not there', {}, { from: 'files', files: '/no/such.wav' }, /error\.file/],
    ['a language that is none', { payload: recording(8), langCode: 'x' }, {}, /langCode/],
  ])('reaches Catch and no request is sent: %s', async (_what, message, settings, sentence) => {
    const server = await startCloner()
    const flow = await loadNode(server, settings)
    expect(await sendAndCatch(flow, 'node', message)).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(sentence) },
    })
    expect(server.requests).toEqual([])
    expect(flow.received('out')).toEqual([])
  })
})
