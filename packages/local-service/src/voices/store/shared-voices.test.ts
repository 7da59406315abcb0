import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClonedVoice } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openVoiceList } from '../voice-list.ts'

const anna = makeClonedVoice('anna')
const recording = { wav: Buffer.from('RIFF of Anna'), text: 'Good morning.' }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function startServer() {
  const server = await startRedis()
  onTestFinished(() => server.close())
  return server
}

/** The voices of a service, by default with a data folder of its own. */
async function openService(
  store: string,
  warnings: string[] = [],
  { dataFolder }: { dataFolder: string | undefined } = { dataFolder: makeFolder() },
) {
  const warn = (message: string) => void warnings.push(message)
  const list = await openVoiceList({
    store,
    ...(dataFolder && { dataFolder }),
    maxVoices: 10,
    engines: new Map(),
    warn,
  })
  onTestFinished(() => list.close())
  return list
}

const seesVoice = (list: Awaited<ReturnType<typeof openService>>, name = anna.voice.displayName) =>
  vi.waitFor(() => expect(list.find(anna.voice.voiceId)?.voice.displayName).toBe(name), 10_000)

describe.each([
  ['a folder', {}, async () => makeFolder()],
  ['Redis', needs('redis-server'), async () => (await startServer()).url],
] as const)('services that share %s', (_name, options, makeStore) => {
  describe('their voices', options, () => {
    it('all have a voice that one has cloned, its new name, its recording, and its end', async () => {
      const store = await makeStore()
      const [one, other] = await Promise.all([openService(store), openService(store)])
      await one.clones.add(anna, recording)
      await seesVoice(other)
      const { wavPath, text } = other.find(anna.voice.voiceId)!.recording!
      expect([readFileSync(wavPath), text]).toEqual([recording.wav, recording.text])
      await other.clones.change(anna.voice.voiceId, { displayName: 'Anne', tags: [] })
      await seesVoice(one, 'Anne')
      await seesVoice(await openService(store), 'Anne')
      await one.clones.remove(anna.voice.voiceId)
      await vi.waitFor(() => expect(other.find(anna.voice.voiceId)).toBeUndefined(), 10_000)
      await vi.waitFor(() => expect(() => readFileSync(wavPath)).toThrow('ENOENT'), 10_000)
    })

    it('keep voices that are cloned on all of them at the same time', async () => {
      const store = await makeStore()
      const services = await Promise.all([1, 2, 3].map(() => openService(store)))
      const names = ['a', 'b', 'c'].map((name) => makeClonedVoice(name))
      await Promise.all(services.map(({ clones }, index) => clones.add(names[index]!)))
      for (const { clones } of services) {
        await vi.waitFor(() => expect(clones.list()).toHaveLength(3), 10_000)
      }
    })
  })
})

describe('a service without a data folder', needs('redis-server'), () => {
  it('changes a voice, and the others keep its recording', async () => {
    const { url: store } = await startServer()
    const one = await openService(store)
    const other = await openService(store, [], { dataFolder: undefined })
    await one.clones.add(anna, recording)
    await seesVoice(other)
    expect(other.find(anna.voice.voiceId)).not.toHaveProperty('recording')
    await other.clones.change(anna.voice.voiceId, { displayName: 'Anne' })
    await seesVoice(one, 'Anne')
    const { voice, recording: kept } = one.find(anna.voice.voiceId)!
    expect([voice.keepsRecording, kept?.text]).toEqual([true, recording.text])
    expect(readFileSync(kept!.wavPath)).toEqual(recording.wav)
    await seesVoice(other, 'Anne')
  })
})

describe('a service whose store is away', needs('redis-server'), () => {
  it('speaks with the voices that it knows, and says why it cannot clone', async () => {
    const server = await startServer()
    const warnings: string[] = []
    const service = await openService(server.url, warnings)
    await service.clones.add(anna)
    server.pause()
    await expect(service.clones.add(makeClonedVoice('ben'))).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/store .* is away/),
    })
    expect(service.find(anna.voice.voiceId)).toBeDefined()
    await vi.waitFor(() => expect(warnings.join()).toMatch(/voices of other services/), 10_000)
    server.resume()
    const ben = makeClonedVoice('ben')
    await vi.waitFor(() => service.clones.add(ben), 20_000)
  })
})

it('a service starts although its store is away', async () => {
  const warnings: string[] = []
  const service = await openService(unreachableUrl.replace('http', 'redis'), warnings)
  expect(service.clones.list()).toEqual([])
  expect(warnings.join()).toMatch(/The store cannot be reached/)
})
