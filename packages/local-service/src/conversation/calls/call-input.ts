import type { OpusPackets } from '../../audio/encoding/opus-packets.ts'

/** A packet of a call, in order, with the time of its first sample at 48 kHz, modulo 2³². */
interface Packet {
  timestamp: number
  payload: Uint8Array
}

// A sample has two bytes, and PCM has half the rate of the timestamps.
const bytesPerTick = 1
const maxGapTicks = 48_000

/** Turns the packets of a call into PCM of 24 kHz. Lost packets become silence, so that turns keep their length. */
export function createCallInput(
  codec: Pick<OpusPackets, 'decode'>,
): (packet: Packet) => Uint8Array {
  let next: number | undefined
  return ({ timestamp, payload }) => {
    const pcm = codec.decode(payload)
    const missing = next === undefined ? 0 : (timestamp - next) | 0
    next = timestamp + pcm.length / bytesPerTick
    if (missing <= 0) return pcm
    const samples = Math.min(missing, maxGapTicks) >> 1
    return Buffer.concat([Buffer.alloc(2 * samples), pcm])
  }
}
