import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { type Device, deviceError } from '../../network/device.ts'
import { objectOf, parseJson } from '../../network/json.ts'
import { LineConnection } from '../../network/line-connection.ts'
import { SpeakerError } from '../../speaker-error.ts'

/** The state of the server may contain the covers of the songs that play. To parse a megabyte of brackets takes too long. */
const maxLineBytes = 512 * 1024

/** The server does not do what a request asks for. */
export class SnapcastRejection extends SpeakerError {
  /** Whether this version of the server does not know the method. */
  readonly isUnknownMethod: boolean

  constructor({ code, message }: SpeakerError, isUnknownMethod: boolean) {
    super(code, message)
    this.isUnknownMethod = isUnknownMethod
  }
}

interface Pending {
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Members = ReturnType<typeof objectOf>

/** The control connection of a Snapcast server: https://github.com/badaix/snapcast/blob/v0.34.0/doc/json_rpc_api/control.md */
export class SnapcastControl {
  /** Rejects when the connection ends. */
  readonly ended: Promise<never>
  readonly #lines: LineConnection
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Set<(method: string, parameters: Members) => void>()
  #lastId = 0

  private constructor(lines: LineConnection) {
    this.#lines = lines
    this.ended = this.#receive()
    this.ended.catch((error) => {
      for (const { reject } of this.#pending.values()) reject(error)
      this.#pending.clear()
    })
  }

  /** @throws {SpeakerError} or the reason of the signal. */
  static async open(device: Device, signal: AbortSignal): Promise<SnapcastControl> {
    return new SnapcastControl(await LineConnection.open(device, signal, maxLineBytes))
  }

  /** @throws {SnapcastRejection} when the server rejects it; {@link SpeakerError} when it does not respond. */
  async request(method: string, parameters: object = {}): Promise<unknown> {
    const { device } = this.#lines
    this.#lastId += 1
    const id = this.#lastId
    const response = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    this.#lines.write(JSON.stringify({ id, jsonrpc: '2.0', method, params: parameters }))
    try {
      const settled = Promise.race([response, this.ended])
      return await withinTime(device.responseMs, settled, () => deviceError(device, 'no-response'))
    } finally {
      this.#pending.delete(id)
    }
  }

  /** Waits until a notification is the one that is looked for. */
  async until(
    isIt: (method: string, parameters: Members) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    let listener: ((method: string, parameters: Members) => void) | undefined
    const happened = new Promise<void>((resolve) => {
      listener = (method, parameters) => isIt(method, parameters) && resolve()
      this.#listeners.add(listener)
    })
    try {
      await unlessAborted(Promise.race([happened, this.ended]), signal)
    } finally {
      this.#listeners.delete(listener!)
    }
  }

  close(): void {
    this.#lines.close()
  }

  async #receive(): Promise<never> {
    for (;;) this.#dispatch(await this.#lines.readLate())
  }

  #dispatch(line: string): void {
    const message = parseJson(line)
    if (typeof message !== 'object' || message === null)
      throw deviceError(this.#lines.device, 'other-protocol')
    const { id, method, params, result, error } = objectOf(message)
    if (typeof method === 'string') {
      for (const listener of this.#listeners) listener(method, objectOf(params))
      return
    }
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(this.#rejectionOf(objectOf(error)))
  }

  #rejectionOf({ code, message }: Members): SnapcastRejection {
    const reason = typeof message === 'string' ? message : ''
    return new SnapcastRejection(
      deviceError(this.#lines.device, 'rejected', reason),
      code === unknownMethod,
    )
  }
}

/** https://www.jsonrpc.org/specification#error_object */
const unknownMethod = -32_601
