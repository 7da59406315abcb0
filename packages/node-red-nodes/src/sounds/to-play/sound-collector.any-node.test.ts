import { describe, expect, it, vi } from 'vitest'
import type { SoundMessage } from '../chunk-sequences.ts'
import { SoundCollector } from './sound-collector.ts'

const RED = { _: (key: string) => key }
const audio = { encoding: 'PCM', sampleRateHertz: 24_000 }
const chunk = (index: number, text: string, more: object = {}): SoundMessage =>
  ({
    _msgid: '1',
    payload: Buffer.from(text),
    parts: { id: 'speech', index, ...more },
    audio,
  }) as SoundMessage

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const bytes of chunks) all.push(bytes)
  return Buffer.concat(all).toString()
}

describe('the sound collector', () => {
  it('makes one sound of the chunks of a sequence, from the first one on', async () => {
    const collector = new SoundCollector(RED)
    const first = collector.take(chunk(0, 'one '))
    expect(first).toMatchObject({ isFirst: true, isLast: false, sound: { isComplete: false } })
    const second = collector.take(chunk(1, 'two'))
    expect(second).toMatchObject({ isFirst: false, sound: first!.sound })
    const last = collector.take({ ...chunk(2, '', { count: 3 }), complete: true } as SoundMessage)
    expect(last).toMatchObject({
      isLast: true,
      sound: { isComplete: true, format: { audioEncoding: 'PCM' } },
    })
    expect(await read(first!.sound.read())).toBe('one two')
  })

  it.each([
    ['WAV', 'RIFF\u0001\u0002\u0003\u0004WAVEfmt '],
    ['FLAC', 'fLaC\0\0\0\x22'],
    ['OGG_OPUS', `OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`],
    ['MP3', 'ID3\x04'],
    ['MP3', '\xff\xfb\x90\x64'],
  ])('recognises %s in a Buffer', (audioEncoding, start) => {
    const message = { _msgid: '1', payload: Buffer.from(start, 'latin1') }
    const { sound, isFirst, isLast } = new SoundCollector(RED).take(message)!
    expect([sound.format.audioEncoding, isFirst, isLast]).toEqual([audioEncoding, true, true])
  })

  it.each(['text', 7, undefined, {}, Buffer.from('hello'), Buffer.alloc(0)])(
    'rejects the payload %j',
    (payload) => {
      const collector = new SoundCollector(RED)
      expect(() => collector.take({ _msgid: '1', payload })).toThrow('not-a-sound')
    },
  )

  it('rejects a Buffer above the limit of memory with a text of Node-RED', () => {
    const payload = Buffer.alloc(64 * 1024 * 1024 + 1)
    payload.write('ID3')
    const take = () => new SoundCollector(RED).take({ _msgid: '1', payload })
    expect(take).toThrow(/shared\.sound\.limit\.too-much-waiting$/)
  })

  it('fails a sound of which a chunk is missing', async () => {
    const collector = new SoundCollector(RED)
    const { sound } = collector.take(chunk(0, 'one'))!
    expect(() => collector.take(chunk(2, 'three'))).toThrow('chunk-missing')
    await expect(sound.completed).rejects.toThrow('chunk-missing')
  })

  it('says that a chunk is missing before one without an index', () => {
    const message = { ...chunk(0, 'one'), parts: { id: 'a' } } as SoundMessage
    expect(() => new SoundCollector(RED).take(message)).toThrow('chunk-missing')
  })

  it('drops the rest of a sound that has failed or was stopped, until the sequence begins again', () => {
    const collector = new SoundCollector(RED)
    collector.take(chunk(0, 'one'))
    collector.close()
    expect(collector.take(chunk(1, 'two'))).toBeUndefined()
    expect(collector.take(chunk(2, '', { count: 3 }))).toBeUndefined()
    expect(collector.take(chunk(0, 'one'))).toMatchObject({ isFirst: true })
    collector.close()
  })

  it.each([
    ['is not a sound', Buffer.from('hello')],
    ['is not a Buffer', 'hello'],
  ])('reports once that the first chunk %s, and drops the others', (_what, payload) => {
    const collector = new SoundCollector(RED)
    const first = { ...chunk(0, ''), payload, audio: undefined }
    expect(() => collector.take(first)).toThrow('not-a-sound')
    expect(collector.take(chunk(1, 'two'))).toBeUndefined()
    expect(collector.take(chunk(0, 'one'))).toMatchObject({ isFirst: true })
    collector.close()
  })

  it('fails a sound with a chunk that is not a Buffer, once', async () => {
    const collector = new SoundCollector(RED)
    const { sound } = collector.take(chunk(0, 'one'))!
    expect(collector.take({ ...chunk(1, ''), payload: 'two' })).toBeUndefined()
    expect(collector.take(chunk(2, 'three'))).toBeUndefined()
    await expect(sound.completed).rejects.toThrow('not-a-sound')
  })

  it('fails a sound 5 seconds after its audio could be heard to its end, if nothing more arrives', async () => {
    vi.useFakeTimers()
    try {
      const collector = new SoundCollector(RED)
      const oneSecond = Buffer.alloc(48_000)
      const { sound } = collector.take({ ...chunk(0, ''), payload: oneSecond } as SoundMessage)!
      await vi.advanceTimersByTimeAsync(4000)
      collector.take({ ...chunk(1, ''), payload: Buffer.alloc(7 * 48_000) } as SoundMessage)
      const failed = vi.fn()
      sound.completed.catch(failed)
      // It has 8 seconds, and began 4 seconds ago.
      await vi.advanceTimersByTimeAsync(8999)
      expect(failed).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(failed).toHaveBeenCalledWith(
        expect.objectContaining({ message: expect.stringContaining('end-overdue') }),
      )
    } finally {
      vi.useRealTimers()
    }
  })

  it('fails a sound whose end does not arrive, and the oldest of too many', async () => {
    vi.useFakeTimers()
    try {
      const collector = new SoundCollector(RED)
      const take = (id: number) =>
        collector.take({ ...chunk(0, 'one'), parts: { id: String(id), index: 0 } } as SoundMessage)!
      const [oldest, ...others] = Array.from({ length: 17 }, (_, id) => take(id).sound)
      await expect(oldest!.completed).rejects.toThrow('too-many')
      vi.advanceTimersByTime(30_000)
      await expect(others[0]!.completed).rejects.toThrow('end-overdue')
      const { sound } = collector.take(chunk(0, 'late'))!
      collector.close()
      await expect(sound.completed).rejects.toThrow('end-missing')
    } finally {
      vi.useRealTimers()
    }
  })
})
