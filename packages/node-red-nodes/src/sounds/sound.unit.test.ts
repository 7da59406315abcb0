import { describe, expect, it } from 'vitest'
import { createSound, soundOf } from './sound.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const second = new Uint8Array(48_000)

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read).toString()
}

describe('a sound', () => {
  it('reaches an early and a late reader from its first byte', async () => {
    const sound = createSound(format)
    const early = readAll(sound.read())
    sound.append(Buffer.from('one '))
    const late = readAll(sound.read())
    await Promise.resolve()
    sound.append(Buffer.from('two'))
    sound.complete()
    expect(await Promise.all([early, late])).toEqual(['one two', 'one two'])
    expect(await readAll(sound.read())).toBe('one two')
  })

  it('counts the bytes and seconds that exist', () => {
    const sound = createSound(format)
    sound.append(second)
    expect([sound.byteLength, sound.durationSeconds, sound.isComplete]).toEqual([48_000, 1, false])
    expect(soundOf(format, second)).toMatchObject({ durationSeconds: 1, isComplete: true })
  })

  it('gives its readers the error that ended it, after the bytes that exist', async () => {
    const sound = createSound(format)
    sound.append(Buffer.from('begun'))
    sound.fail(new Error('the service is gone'))
    const read = sound.read()
    expect(Buffer.from((await read.next()).value!).toString()).toBe('begun')
    await expect(read.next()).rejects.toThrow('the service is gone')
    await expect(sound.completed).rejects.toThrow('the service is gone')
  })

  it('ends a reader whose signal aborts while it waits', async () => {
    const controller = new AbortController()
    const reading = readAll(createSound(format).read(controller.signal))
    controller.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
  })

  it('fails when it becomes longer than its limit', async () => {
    const sound = createSound(format, 2)
    sound.append(second)
    sound.append(second)
    expect(() => sound.append(second)).toThrow('longer than 2 seconds')
    await expect(sound.completed).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
  })
})
