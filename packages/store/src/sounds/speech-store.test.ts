import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDiskStore } from './disk-store.ts'
import { createMemoryStore } from './memory-store.ts'
import { openRedisStore } from './redis-store.ts'
import { soundKey } from './sound-key.ts'
import type { KeptSound, SpeechStore } from './speech-store.ts'

/** What a test limits. */
interface Limits {
  maxBytes?: number
  maxUnusedMs?: number
}

const kinds: {
  name: string
  programs: 'redis-server'[]
  open(limits: Limits): Promise<SpeechStore>
}[] = [
  {
    name: 'in memory',
    programs: [],
    open: async ({ maxBytes = 1e6, ...limits }) => createMemoryStore({ maxBytes, ...limits }),
  },
  {
    name: 'on disk',
    programs: [],
    async open({ maxBytes = 1e6, ...limits }) {
      const folder = await mkdtemp(join(tmpdir(), 'parlando-sounds-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      return openDiskStore({ folder, maxBytes, ...limits })
    },
  },
  {
    name: 'in Redis',
    programs: ['redis-server'],
    async open({ maxBytes, ...limits }) {
      const server = await startRedis(maxBytes ? { maxMemoryBytes: 4e6 + maxBytes } : {})
      onTestFinished(() => server.close())
      const store = await openRedisStore({ url: server.url, ...limits })
      const probe = soundKey({ probe: true })
      await vi.waitFor(async () => {
        await store.add(probe, sound(''))
        expect(await store.get(probe)).toBeDefined()
      }, 20_000)
      await store.clear()
      return store
    },
  },
]

const sound = (text: string) => ({ audio: Buffer.from(text), facts: { text } })
const one = soundKey({ text: 'One.' })
const two = soundKey({ text: 'Two.' })

/** Reads a sound that is kept. On a busy machine, one of Redis can take longer than a caller waits. */
const read = (store: SpeechStore, key: string) =>
  vi.waitFor(async () => {
    const kept = await store.get(key)
    if (!kept) throw new Error('The store has no such sound')
    return kept
  }, 10_000)

/** Keeps a sound. Redis drops one while it has not responded to the command before, on which the caller waits no longer. */
const keep = (store: SpeechStore, key: string, kept: KeptSound) =>
  vi.waitFor(async () => {
    await store.add(key, kept)
    if (!(await store.get(key))) throw new Error('The store has not kept the sound')
  }, 10_000)

describe.each(kinds)('a store $name', ({ programs, open }) => {
  const openStore = async (limits: Limits = {}) => {
    const store = await open(limits)
    onTestFinished(() => store.close())
    return store
  }

  it(
    'returns a sound that was kept, with its facts, and no other sound',
    needs(...programs),
    async () => {
      const store = await openStore()
      const audio = randomBytes(100_000)
      const facts = { encoding: 'MP3', words: [{ word: 'Tür', start: 0.25 }] }
      expect(await store.get(one)).toBeUndefined()
      await keep(store, one, { audio, facts })
      const kept = await read(store, one)
      expect(Buffer.from(kept.audio).equals(audio)).toBe(true)
      expect(kept.facts).toEqual(facts)
      expect(await store.get(two)).toBeUndefined()
    },
  )

  it('replaces a sound that is kept again', needs(...programs), async () => {
    const store = await openStore()
    await Promise.all([store.add(one, sound('first')), store.add(one, sound('second'))])
    expect((await read(store, one)).facts).toEqual({ text: 'second' })
  })

  it(
    'forgets all sounds when it is cleared, and then keeps others',
    needs(...programs),
    async () => {
      const store = await openStore()
      await store.add(one, sound('One.'))
      await store.clear()
      expect(await store.get(one)).toBeUndefined()
      await keep(store, two, sound('Two.'))
    },
  )

  it('keeps no more than its limit, and the newest of all', needs(...programs), async () => {
    const store = await openStore({ maxBytes: 1_000_000 })
    const keys = await fill(store)
    await read(store, keys.at(-1)!)
    const kept = await Promise.all(keys.map((key) => store.get(key)))
    expect(kept.filter(Boolean).length).toBeLessThan(keys.length)
    expect(store.size()?.bytes ?? 0).toBeLessThanOrEqual(1_000_000)
  })
})

// Redis has a clock of seconds for this.
describe.each(kinds.filter(({ name }) => name !== 'in Redis'))('a store $name', ({ open }) => {
  it('forgets what was not used for longest', async () => {
    const store = await open({ maxBytes: 1_000_000 })
    const inUse = soundKey({ index: 0 })
    const [, second] = await fill(store, () => store.get(inUse))
    expect(await store.get(inUse)).toBeDefined()
    expect(await store.get(second!)).toBeUndefined()
    await store.close()
  })
})

/** Adds four times as much as fits. */
async function fill(store: SpeechStore, between: () => unknown = () => {}) {
  const keys = Array.from({ length: 40 }, (_, index) => soundKey({ index }))
  for (const [index, key] of keys.entries()) {
    await store.add(key, { audio: Buffer.alloc(100_000, index), facts: {} })
    await between()
  }
  return keys
}
