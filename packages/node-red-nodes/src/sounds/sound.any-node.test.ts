import { describe, expect, it, vi } from 'vitest'
import { createSound, SoundLimitError, soundOf, withText } from './sound.ts'

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

  it('of any length takes a limited amount of memory while its readers wait for each other', async () => {
    vi.useFakeTimers()
    try {
      const keptBytes = 4 * second.length
      const sound = createSound(format, keptBytes)
      const readers = [sound.read(), sound.read()]
      let made = 0
      let held = 0
      const make = async () => {
        for (; made < 100; made++) {
          sound.append(second.slice().fill(made))
          held = Math.max(held, sound.heldBytes)
          await sound.room()
        }
        sound.complete()
      }
      const heard: number[][] = [[], []]
      const making = make()
      await readers[0]!.next()
      await readers[1]!.next()
      // Until another player could begin, the start stays.
      await vi.advanceTimersByTimeAsync(4_000)
      expect(made).toBe(4)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(made).toBeLessThan(10)
      await Promise.all(
        readers.map(async (reader, index) => {
          for await (const [value] of reader) heard[index]!.push(value!)
        }),
      )
      await making
      const rest = Array.from({ length: 99 }, (_, index) => index + 1)
      expect(heard).toEqual([rest, rest])
      expect(held).toBeLessThanOrEqual(keptBytes + second.length)
      expect(sound).toMatchObject({ durationSeconds: 100, isComplete: true })
      await expect(sound.read().next()).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits for room until its signal aborts', async () => {
    const sound = createSound(format, second.length)
    sound.append(second)
    sound.append(second)
    const controller = new AbortController()
    const waiting = sound.room(controller.signal)
    controller.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })

  it('fails when too much of it waits, because its maker waits for nobody', async () => {
    const sound = createSound(format)
    const tenMebibytes = new Uint8Array(10 * 1024 * 1024)
    for (let count = 0; count < 6; count++) sound.append(tenMebibytes)
    expect(() => sound.append(tenMebibytes)).toThrow('too-much-waiting')
    await expect(sound.completed).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
  })

  it('fails with a text of Node-RED when its start is no longer in memory', () => {
    const error = withText({ _: (key: string) => key }, new SoundLimitError('start-gone'))
    expect(error).toMatchObject({
      code: 'OUT_OF_RANGE',
      message: expect.stringMatching(/shared\.sound\.limit\.start-gone$/),
    })
  })
})
