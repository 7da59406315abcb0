import { describe, expect, it } from 'vitest'
import { createJitterBuffer, type OpusPacket } from './jitter-buffer.ts'

const packet = (sequenceNumber: number): OpusPacket => ({
  sequenceNumber: sequenceNumber & 0xffff,
  timestamp: sequenceNumber * 960,
  payload: new Uint8Array(),
})

/** What the buffer returns for each packet, by number. */
function pass(...numbers: number[]): number[][] {
  const buffer = createJitterBuffer()
  return numbers.map((number) =>
    buffer.push(packet(number)).map(({ sequenceNumber }) => sequenceNumber),
  )
}

describe('a jitter buffer', () => {
  it('returns packets in order at once', () => {
    expect(pass(7, 8, 9)).toEqual([[7], [8], [9]])
  })

  it('waits for a packet that others have overtaken', () => {
    expect(pass(1, 3, 4, 2, 5)).toEqual([[1], [], [], [2, 3, 4], [5]])
  })

  it('gives up a packet when six others wait for it', () => {
    expect(pass(1, 3, 4, 5, 6, 7, 8, 9)).toEqual([[1], [], [], [], [], [], [3, 4, 5, 6, 7, 8], [9]])
  })

  it('drops packets that are late or repeated', () => {
    expect(pass(5, 5, 4, 6, 6, 7)).toEqual([[5], [], [], [6], [], [7]])
  })

  it('continues when the numbers begin again', () => {
    const last = 0xffff
    expect(pass(last - 1, last + 1, last, last + 2)).toEqual([[last - 1], [], [last, 0], [1]])
  })

  it.each([5000, 60_000])('begins anew after a step to %i', (number) => {
    expect(pass(1, 3, number, number + 1)).toEqual([[1], [], [number], [number + 1]])
  })
})
