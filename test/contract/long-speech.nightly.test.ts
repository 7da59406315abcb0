import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { createDurationMeter } from '@parlando/core/audio'
import { startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import { expect, it, onTestFinished } from 'vitest'

async function start(dataFolder: string) {
  const service = await startLocalService({ dataFolder, apiKey: keys.service, warmUp: false })
  const client = createClient({ baseUrl: service.baseUrl, apiKey: keys.service })
  const stop = async () => {
    await client.close()
    await service.close()
  }
  onTestFinished(stop)
  return { client, stop }
}

const text = Array.from(
  { length: 40 },
  (_, n) => `This is sentence ${n + 1} of a story that nobody needs to hear at once.`,
).join(' ')

it('a real voice speaks a long text, over a restart of the service, into one file with the times of its words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-long-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await start(folder)
  const audioConfig = { audioEncoding: 'MP3', sampleRateHertz: 24_000 } as const
  const { name } = await first.client.synthesizeLong({
    text,
    voiceId: 'Kit',
    modelId: 'svc-tts-2-flash',
    audioConfig,
    timestampType: 'WORD',
  })
  const spoken = async () => (await first.client.speechJob(name).progress()).spokenCharacters
  await expect.poll(spoken).toBeGreaterThan(0)
  await first.stop()

  const { client } = await start(folder)
  const finished = await client.speechJob(name).finished()
  const audio = await finished.audio().collect()
  const meter = createDurationMeter('MP3', 24_000)
  meter.push(audio)
  const { words } = (await finished.timestamps())!
  expect(words.length).toBe(text.split(' ').length)
  expect(words.at(-1)!.endSeconds).toBeGreaterThan(60)
  expect(Math.abs(meter.seconds! - words.at(-1)!.endSeconds)).toBeLessThan(2)
  await client.speechJob(name).remove()
  await expect(client.speechJob(name).finished()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('each text of a batch has its audio or its error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-batch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { client } = await start(folder)
  const speech = { voiceId: 'Kit', modelId: 'svc-tts-2-flash' }
  const job = await client.synthesizeBatch({
    items: [
      { customId: 'door', request: { ...speech, text: 'The door is open.' } },
      { customId: 'ghost', request: { ...speech, text: 'Boo.', voiceId: 'Nobody' } },
    ],
  })
  const { results } = await job.finished()
  expect(results.map(({ customId, error }) => [customId, error?.code])).toEqual([
    ['door', undefined],
    ['ghost', 'NOT_FOUND'],
  ])
  expect((await results[0]!.audio().collect()).length).toBeGreaterThan(5000)
})
