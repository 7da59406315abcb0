import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient, type SpeechRequest } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { makeDataFolder, storedVoice } from '@parlando/test-support/local-service/stored-voice'
import { expect, it } from 'vitest'

const { voiceId } = storedVoice
// Each test starts the service twice.
const options = { timeout: 60_000 }
const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24000 } as const
const request = { text: 'Is it time for tea?', voiceId, modelId: 'svc-tts-2', audioConfig }

/** Starts the service, uses it and stops it. */
async function withService<Result>(
  dataFolder: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const service = await startLocalService({ dataFolder, logLevel: 'silent', warmUp: false })
  const client = createClient({ baseUrl: service.baseUrl })
  try {
    return await use(client)
  } finally {
    await client.close()
    await service.close()
  }
}

async function streamed(client: Client, speech: SpeechRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const { audio } of client.synthesizeStream(speech)) chunks.push(audio)
  return Buffer.concat(chunks)
}

it(
  'a stored voice sounds the same, streamed and whole, after a restart of the service',
  options,
  async () => {
    const dataFolder = makeDataFolder()
    // A damaged file affects only its own voice.
    writeFileSync(join(dataFolder, 'voices', 'broken.json'), '{')
    const speak = (client: Client) =>
      Promise.all([client.getVoice(voiceId), client.synthesize(request), streamed(client, request)])
    const [voice, whole, stream] = await withService(dataFolder, speak)
    expect(voice).toEqual(storedVoice)
    expect(whole.audio.length).toBeGreaterThan(24_000)
    expect(stream.equals(whole.audio)).toBe(true)
    const [, wholeAgain, streamAgain] = await withService(dataFolder, speak)
    expect(Buffer.from(wholeAgain.audio).equals(whole.audio)).toBe(true)
    expect(streamAgain.equals(stream)).toBe(true)
  },
)

it('changes and deletions survive a restart', options, async () => {
  const dataFolder = makeDataFolder()
  const update = { displayName: 'Oma', description: 'Warm', tags: ['calm'] }
  await withService(dataFolder, (client) => client.updateVoice({ voiceId, ...update }))
  await withService(dataFolder, async (client) => {
    const { voices } = await client.listVoices({ filter: 'tags:calm AND display_name = "Oma"' })
    expect(voices).toEqual([{ ...storedVoice, ...update }])
    await client.deleteVoice(voiceId)
    const notFound = { code: 'NOT_FOUND' }
    await expect(client.getVoice(voiceId)).rejects.toMatchObject(notFound)
    await expect(client.deleteVoice(voiceId)).rejects.toMatchObject(notFound)
    await expect(client.synthesize(request)).rejects.toMatchObject(notFound)
  })
  // The next run knows only the contents of this folder.
  expect(readdirSync(join(dataFolder, 'voices'))).toEqual([])
})
