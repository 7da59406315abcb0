import { describe, expect, it, vi } from 'vitest'
import { createSound, type GrowingSound, soundOf } from '../sound.ts'
import { createSoundStore } from './sound-store.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const addressOf = () => ({ baseUrl: 'http://hub:1880', warning: undefined })
const fileNameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const sound = (bytes = 10) => soundOf(format, new Uint8Array(bytes))

describe('the sound store', () => {
  it('gives each sound an address of 128 random bits that ends in the extension of its encoding', () => {
    const store = createSoundStore({ addressOf })
    const urls = [store.publish(sound()).url, store.publish(sound()).url]
    for (const url of urls) {
      expect(url).toMatch(/^http:\/\/hub:1880\/parlando\/sounds\/[\w-]{22}\.mp3$/)
    }
    expect(new Set(urls).size).toBe(2)
  })

  it('finds a sound only by its whole file name', () => {
    const store = createSoundStore({ addressOf })
    const one = sound()
    const { url } = store.publish(one)
    const fileName = fileNameOf(url)
    expect(store.find(fileName)?.sound).toBe(one)
    expect(store.find(fileName.slice(0, -4))).toBeUndefined()
    expect(store.find(fileName.toUpperCase())).toBeUndefined()
    expect(store.find('__proto__')).toBeUndefined()
  })

  it('drops the oldest sound when there are too many', () => {
    const store = createSoundStore({ addressOf, maxSounds: 2 })
    const found = [1, 2, 3]
      .map(() => store.publish(sound()).url)
      .map((url) => store.find(fileNameOf(url)) !== undefined)
    expect(found).toEqual([false, true, true])
  })

  it('drops the oldest sounds when a growing one exceeds the memory, but not the newest', async () => {
    const store = createSoundStore({ addressOf, maxBytes: 100 })
    const old = store.publish(sound(60)).url
    const growing: GrowingSound = createSound(format)
    const { url } = store.publish(growing)
    growing.append(new Uint8Array(500))
    growing.complete()
    await growing.completed
    expect(store.find(fileNameOf(old))).toBeUndefined()
    expect(store.find(fileNameOf(url))?.sound).toBe(growing)
  })

  it('forgets a sound that failed, that was removed, or whose time is over', async () => {
    vi.useFakeTimers()
    try {
      const store = createSoundStore({ addressOf, lifetimeMs: 1000 })
      const failing = createSound(format)
      const published = [store.publish(failing), store.publish(sound()), store.publish(sound())]
      failing.fail(new Error('gone'))
      await failing.completed.catch(() => {})
      published[1]!.remove()
      const found = () => published.map(({ url }) => store.find(fileNameOf(url)) !== undefined)
      expect(found()).toEqual([false, false, true])
      vi.advanceTimersByTime(1000)
      expect(found()).toEqual([false, false, false])
    } finally {
      vi.useRealTimers()
    }
  })

  it('holds no sound and no timer after its end', () => {
    vi.useFakeTimers()
    try {
      const store = createSoundStore({ addressOf })
      const { url } = store.publish(sound())
      expect(vi.getTimerCount()).toBe(1)
      store.close()
      expect(store.find(fileNameOf(url))).toBeUndefined()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('reports the first fetch', async () => {
    const store = createSoundStore({ addressOf })
    const { url, fetched } = store.publish(sound())
    store.find(fileNameOf(url))!.noteFetch()
    await expect(fetched).resolves.toBeUndefined()
  })
})
