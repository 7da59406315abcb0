import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type SoundServer, serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSound, type SoundFormat, soundOf } from '../sound.ts'

const format: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }

let server: SoundServer
afterEach(() => server.close())

const open = async (url: string): Promise<IncomingMessage> => {
  const [response] = await once(get(url), 'response')
  return response
}

const countBytes = async (response: IncomingMessage) => {
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return bytes
}

describe('the address of a sound', () => {
  it('holds little for players that read slowly or not at all, and delays no other player', async () => {
    server = await serveSounds()
    const sound = createSound(format)
    const { url } = server.sounds.publish(sound, { response: 'chunked' })
    const slow = await Promise.all(Array.from({ length: 10 }, () => open(url)))
    const fast = countBytes(await open(url))
    const chunk = new Uint8Array(64 * 1024)
    for (let index = 0; index < 256; index++) {
      sound.append(chunk)
      await new Promise(setImmediate)
    }
    sound.complete()
    expect(await fast).toBe(256 * chunk.length)
    const waiting = server.waitingBytes().filter((bytes) => bytes > 0)
    expect(waiting.length).toBeGreaterThan(0)
    expect(Math.max(...waiting)).toBeLessThan(2 * chunk.length)
    expect(await countBytes(slow[0]!)).toBe(256 * chunk.length)
  })

  it('is gone once it is removed, also for a player that is still reading', async () => {
    server = await serveSounds()
    const sound = createSound(format)
    sound.append(new Uint8Array(100))
    const { url, remove } = server.sounds.publish(sound, { response: 'chunked' })
    const response = await open(url)
    remove()
    await expect(countBytes(response)).rejects.toThrow('aborted')
    expect((await open(url)).statusCode).toBe(404)
  })

  it('disconnects a player that has stopped reading', async () => {
    server = await serveSounds({ maxPauseMs: 50 })
    const { url, sent } = server.sounds.publish(soundOf(format, new Uint8Array(24 * 1024 * 1024)))
    const response = await open(url)
    let isSent = false
    void sent.then(() => {
      isSent = true
    })
    await vi.waitFor(() => expect(server.waitingBytes()).toEqual([]))
    await expect(countBytes(response)).rejects.toThrow('aborted')
    expect(isSent).toBe(false)
  })

  it('notes when every byte was sent, in any number of ranges', async () => {
    server = await serveSounds()
    const { url, fetched, sent } = server.sounds.publish(soundOf(format, new Uint8Array(100)))
    let isSent = false
    void sent.then(() => {
      isSent = true
    })
    const fetchRange = (range: string) => fetch(url, { headers: { range } })
    // Players look for tags at the end of a file.
    expect((await (await fetchRange('bytes=-10')).arrayBuffer()).byteLength).toBe(10)
    expect((await (await fetchRange('bytes=0-49')).arrayBuffer()).byteLength).toBe(50)
    await fetched
    expect(isSent).toBe(false)
    expect((await (await fetchRange('bytes=50-')).arrayBuffer()).byteLength).toBe(50)
    await sent
  })

  it('notes what a player has read that closes the connection and goes on from there', async () => {
    server = await serveSounds()
    const { url, sent } = server.sounds.publish(soundOf(format, new Uint8Array(24 * 1024 * 1024)))
    const response = await open(url)
    const [chunk] = await once(response, 'data')
    response.destroy()
    const rest = await fetch(url, { headers: { range: `bytes=${chunk.length}-` } })
    await rest.arrayBuffer()
    await sent
  })

  it('waits for the whole sound when it is served as a file', async () => {
    server = await serveSounds()
    const sound = createSound(format)
    const { url, fetched } = server.sounds.publish(sound, { response: 'file' })
    const response = open(url)
    sound.append(new Uint8Array(50))
    await fetched
    sound.append(new Uint8Array(50))
    sound.complete()
    expect((await response).headers['content-length']).toBe('100')
    expect(await countBytes(await response)).toBe(100)
  })

  it('reports 502 for a sound that fails before its first byte, and then 404', async () => {
    server = await serveSounds()
    const sound = createSound(format)
    const { url, fetched } = server.sounds.publish(sound)
    const response = open(url)
    await fetched
    sound.fail(new Error('the service is gone'))
    expect((await response).statusCode).toBe(502)
    expect((await fetch(url)).status).toBe(404)
  })
})
