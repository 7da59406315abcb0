import { once } from 'node:events'
import type { Socket } from 'node:net'
import { abortableDelay, unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { type Device, deviceError } from '../../network/device.ts'
import { openSocket } from '../../network/open-socket.ts'
import { bytesPerMs, type SnapcastFormat } from './sample-format.ts'

/** How far the samples are ahead of the clock: the server makes a gap if it waits for one, also when this process is busy. */
const leadMs = 300
/** While the server has not noticed yet that the source is active, each millisecond of lead delays the sound. */
const wakeLeadMs = 60

/** A source of a Snapcast server, to which samples are written at the pace at which they are heard. */
export class SnapcastSource {
  /** Aborted when the server ends the connection. */
  readonly gone: AbortSignal
  readonly #device: Device
  readonly #format: SnapcastFormat
  readonly #socket: Socket
  /** When the next sample is due, by `performance.now()`. */
  #dueAt = performance.now()

  private constructor(device: Device, format: SnapcastFormat, socket: Socket) {
    this.#device = device
    this.#format = format
    this.#socket = socket
    const gone = new AbortController()
    this.gone = gone.signal
    socket.on('close', () => gone.abort(deviceError(device, 'gone')))
    // It sends nothing; but only who reads notices the end.
    socket.resume()
  }

  /** @throws {SpeakerError} or the reason of the signal. */
  static async open(
    device: Device,
    format: SnapcastFormat,
    signal: AbortSignal,
  ): Promise<SnapcastSource> {
    return new SnapcastSource(device, format, await openSocket(device, signal))
  }

  /** When the last sample that was written is due. */
  get dueAt(): number {
    return this.#dueAt
  }

  /**
   * Writes samples until a promise resolves, so that the server notices that the source is active. They are not 0, since newer
   * servers take silence for a source that is idle, and too soft to be heard.
   */
  async wake(isActive: Promise<unknown>, signal: AbortSignal): Promise<void> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    isActive.then(end, end)
    const piece = this.#noise(20)
    while (!isOver) await this.#write(piece, wakeLeadMs, signal)
    await isActive
  }

  /** @throws {SpeakerError} when the server takes no samples; the reason of the signal. */
  async write(samples: Buffer, signal: AbortSignal): Promise<void> {
    await this.#write(samples, leadMs, signal)
  }

  /** Writes silence, since a server takes only whole chunks, and ends the connection. */
  end(chunkMs: number): void {
    this.#socket.end(Buffer.alloc(this.#noise(2 * chunkMs).length))
  }

  /** The server forgets what it has not read. */
  discard(): void {
    this.#socket.resetAndDestroy()
  }

  async #write(samples: Buffer, aheadMs: number, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    // After a pause in the making, the rest is later.
    this.#dueAt = Math.max(this.#dueAt, now)
    await abortableDelay(Math.max(0, this.#dueAt - now - aheadMs), signal)
    this.#dueAt += samples.length / bytesPerMs(this.#format)
    if (this.#socket.destroyed || this.#socket.write(samples)) return
    const drained = once(this.#socket, 'drain')
    const noResponse = () => deviceError(this.#device, 'no-response')
    await withinTime(this.#device.responseMs, unlessAborted(drained, signal), noResponse)
  }

  #noise(durationMs: number): Buffer {
    const { channels, bits } = this.#format
    const frameBytes = channels * (bits === 16 ? 2 : 4)
    const frames = Math.ceil((durationMs * this.#format.rateHertz) / 1000)
    const samples = Buffer.alloc(frames * frameBytes)
    for (let at = 0; at < samples.length; at += 2 * frameBytes) samples[at] = 1
    return samples
  }
}
