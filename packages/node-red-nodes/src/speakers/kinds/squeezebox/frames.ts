import type { Socket } from 'node:net'
import { type FrameForm, readLengthFrames } from '../../network/length-frames.ts'

/** A message of a player: https://wiki.slimdevices.com/index.php/SlimProto_TCP_protocol.html */
export interface Frame {
  /** Four characters, such as `STAT`. */
  operation: string
  payload: Buffer
}

/** The longest message is the header of an HTTP response, which players cut after 4 KiB. */
const form: FrameForm = { headBytes: 8, lengthAt: 4, maxPayloadBytes: 64 * 1024 }

/** Ends with the connection. @throws {RangeError} at a message that no player sends. */
export async function* readFrames(socket: Socket): AsyncGenerator<Frame, void> {
  for await (const frame of readLengthFrames(socket, form)) {
    const operation = frame.toString('latin1', 0, 4)
    yield { operation, payload: frame.subarray(form.headBytes) }
  }
}

/** A message to a player. */
export function encodeFrame(operation: string, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(4 + payload.length)
  head.write(operation, 2, 'latin1')
  return Buffer.concat([head, payload])
}

/** What a player fetches, and how it plays that. */
export interface StreamRequest {
  /** The port of the HTTP server. Its address is that of the server that the player is connected to, unless it is stated. */
  port: number
  ipv4?: readonly number[]
  isHttps: boolean
  /** The HTTP request. */
  request: string
}

const silence = { threshold: 0, outputThreshold: 0 }

/** Commands of the operation `strm`: `q` ends a stream, `t` asks for the state. */
export function encodeStreamCommand(command: 'q' | 't'): Buffer {
  return encodeFrame('strm', streamPayload(command, '0?????', { ...silence, port: 0 }))
}

/** Starts mono PCM of 16 bits, little-endian, at 44.1 kHz, as soon as the player has a tenth of a second. */
export function encodeStream({ port, ipv4, isHttps, request }: StreamRequest): Buffer {
  const numbers = { threshold: 1, outputThreshold: 1, port, ...(ipv4 && { ipv4 }) }
  const payload = streamPayload('s', '1p1311', numbers)
  if (isHttps) payload.writeUInt8(0x20, 11)
  return encodeFrame('strm', Buffer.concat([payload, Buffer.from(request, 'latin1')]))
}

interface StreamNumbers {
  /** KiB that the player has before it decodes. */
  threshold: number
  /** Tenths of a second that it has decoded before it plays. */
  outputThreshold: number
  port: number
  ipv4?: readonly number[]
}

/** @param format Start, codec, sample size, sample rate, channels and byte order: a character each. */
function streamPayload(command: string, format: string, numbers: StreamNumbers): Buffer {
  const payload = Buffer.alloc(24)
  payload.write(`${command}${format}`, 0, 'latin1')
  payload.writeUInt8(numbers.threshold, 7)
  payload.write('0', 10, 'latin1')
  payload.writeUInt8(numbers.outputThreshold, 12)
  payload.writeUInt16BE(numbers.port, 18)
  payload.set(numbers.ipv4 ?? [0, 0, 0, 0], 20)
  return payload
}

/** @param factor Of the amplitude: 0 to 1. */
export function encodeGain(factor: number): Buffer {
  const payload = Buffer.alloc(18)
  // The older half of the message is an integer up to 128, the newer one has 16 bits after the point.
  payload.writeUInt32BE(Math.round(factor * 128), 0)
  payload.writeUInt32BE(Math.round(factor * 128), 4)
  payload.writeUInt8(1, 8)
  payload.writeUInt8(255, 9)
  payload.writeUInt32BE(Math.round(factor * 0x1_0000), 10)
  payload.writeUInt32BE(Math.round(factor * 0x1_0000), 14)
  return encodeFrame('audg', payload)
}
