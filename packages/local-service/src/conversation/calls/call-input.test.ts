import { tone } from '@parlando/test-support/audio/computed-sounds'
import { describe, expect, it } from 'vitest'
import { openOpusPackets } from '../../audio/encoding/opus-packets.ts'
import { createCallInput } from './call-input.ts'

/** Decodes each packet as its own bytes. */
const raw = { decode: (payload: Uint8Array) => payload }
/** A packet of 20 ms. */
const at = (timestamp: number) => ({ timestamp, payload: new Uint8Array(960).fill(1) })
const silentBytes = (pcm: Uint8Array) => pcm.filter((byte) => byte === 0).length

describe('the input of a call', () => {
  it('returns the sound of each packet', () => {
    const read = createCallInput(raw)
    expect(read(at(5000))).toHaveLength(960)
    expect(read(at(5960))).toHaveLength(960)
  })

  it('fills the place of lost packets with silence', () => {
    const read = createCallInput(raw)
    read(at(0))
    const pcm = read(at(3 * 960))
    expect([pcm.length, silentBytes(pcm)]).toEqual([3 * 960, 2 * 960])
    expect(read(at(4 * 960))).toHaveLength(960)
  })

  it('fills at most a second', () => {
    const read = createCallInput(raw)
    read(at(0))
    expect(silentBytes(read(at(10_000_000)))).toBe(48_000)
  })

  it('continues when the timestamps begin again, or step back', () => {
    const read = createCallInput(raw)
    read(at(2 ** 32 - 960))
    expect(read(at(0))).toHaveLength(960)
    read(at(960))
    expect(read(at(0))).toHaveLength(960)
  })

  it('reads Opus, and no sound from malformed packets', async () => {
    const codec = await openOpusPackets(24_000)
    const read = createCallInput(codec)
    const pcm = tone({ seconds: 0.02, hertz: 500, sampleRateHertz: 24_000 })
    const payload = codec.encode(pcm)
    expect(payload.length).toBeLessThan(pcm.length / 4)
    expect(read({ timestamp: 0, payload })).toHaveLength(pcm.length)
    expect(read({ timestamp: 960, payload: new Uint8Array([255, 255, 255]) })).toHaveLength(0)
    codec.close()
    expect(read({ timestamp: 960, payload })).toHaveLength(0)
  })
})
