import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { withinTime } from '../../runtime/wait.ts'
import { SpeakerError } from '../speaker-error.ts'
import { type Device, deviceError } from './device.ts'
import { openSocket } from './open-socket.ts'

/** A device may send thousands of empty lines at once, and other work must have its turn. */
const linesPerTurn = 200
/** No device has a reason to send a longer line, unless its driver says so. */
const defaultMaxLineBytes = 64 * 1024

/** A TCP connection to a device that sends lines of text. It reads no more than its user asks for. */
export class LineConnection {
  readonly device: Device
  readonly #socket: Socket
  readonly #lines: AsyncGenerator<string, void>

  private constructor(device: Device, socket: Socket, maxLineBytes: number) {
    this.device = device
    this.#socket = socket
    this.#lines = linesOf(socket, device, maxLineBytes)
  }

  /** @throws {SpeakerError} when nothing accepts the connection; the reason of the signal after an abort. */
  static async open(
    device: Device,
    signal: AbortSignal,
    maxLineBytes = defaultMaxLineBytes,
  ): Promise<LineConnection> {
    return new LineConnection(device, await openSocket(device, signal), maxLineBytes)
  }

  write(line: string): void {
    // After the end of the connection, the next read says so.
    if (this.isOpen) this.#socket.write(`${line}\n`)
  }

  /**
   * Reads a line. The connection ends if none comes in time: a late one would count as the response to the next command.
   * @throws {SpeakerError} when none comes in time, when the device has closed the connection, or when a line has no end.
   */
  read(limitMs = this.device.responseMs): Promise<string> {
    return withinTime(limitMs, this.readLate(), () => {
      this.close()
      return deviceError(this.device, 'no-response')
    })
  }

  /** The same for a line that may come at any time. */
  async readLate(): Promise<string> {
    const { done, value } = await this.#lines.next().catch((error) => {
      if (error instanceof SpeakerError) throw error
      return { done: true, value: undefined } as const
    })
    if (done) throw deviceError(this.device, 'gone')
    return value
  }

  get isOpen(): boolean {
    return this.#socket.writable
  }

  close(): void {
    this.#socket.destroy()
  }
}

async function* linesOf(
  socket: Socket,
  device: Device,
  maxLineBytes: number,
): AsyncGenerator<string, void> {
  let rest = Buffer.alloc(0)
  let count = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.toString('utf8', 0, end)
      rest = rest.subarray(end + 1)
      count += 1
      if (count % linesPerTurn === 0) await setImmediate()
    }
    if (rest.length > maxLineBytes) throw deviceError(device, 'other-protocol')
  }
}
