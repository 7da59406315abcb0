import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** How the messages of a protocol say how long they are: with 32 bits, the highest first. */
export interface FrameForm {
  headBytes: number
  /** Where in the head the length of the rest is. */
  lengthAt: number
  /** The largest rest, without the head. */
  maxPayloadBytes: number
}

/** A device may send thousands of messages at once, and other work must have its turn. */
const framesPerTurn = 200

/**
 * Yields each message with its head, until the connection ends.
 * @throws {RangeError} at a message that is too long: it is none of this protocol.
 */
export async function* readLengthFrames(
  socket: Socket,
  { headBytes, lengthAt, maxPayloadBytes }: FrameForm,
): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0)
  let count = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headBytes) {
      const payloadBytes = rest.readUInt32BE(lengthAt)
      if (payloadBytes > maxPayloadBytes) throw new RangeError('The message is too long')
      const end = headBytes + payloadBytes
      if (rest.length < end) break
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
      count += 1
      if (count % framesPerTurn === 0) await setImmediate()
    }
  }
}
