import { type Device, deviceError } from '../../network/device.ts'
import { textOfAddress } from '../../network/device-address.ts'
import { LineConnection } from '../../network/line-connection.ts'
import { SpeakerError } from '../../speaker-error.ts'

/** The status has 30 lines; a response without an end is not one of MPD. */
const maxResponseLines = 200
/** Without an event, the status is read again after this time. */
const maxIdleMs = 2000
/** After an abort, silence must follow at once: MPD responds in this time, or is left. */
const abortMs = 1000

/** MPD does not do what a command says. */
class MpdRejection extends SpeakerError {}

/**
 * A connection to MPD, or to a program that speaks its protocol, such as Mopidy:
 * https://mpd.readthedocs.io/en/stable/protocol.html
 */
export class MpdConnection {
  /** Mopidy says that it has version 0.19, which MPD had until 2016. Some of it works in another way. */
  readonly isMopidy: boolean
  readonly #lines: LineConnection

  private constructor(lines: LineConnection, greeting: string) {
    this.#lines = lines
    this.isMopidy = greeting.startsWith('OK MPD 0.19.')
  }

  /** @param password Empty: none. @throws {SpeakerError} */
  static async open(device: Device, password: string, signal: AbortSignal): Promise<MpdConnection> {
    const lines = await LineConnection.open(device, signal)
    try {
      const greeting = await lines.read()
      if (!/^OK MPD \d/.test(greeting)) throw deviceError(device, 'other-protocol')
      const connection = new MpdConnection(lines, greeting)
      if (password !== '') await connection.run(`password ${quoted(password)}`)
      return connection
    } catch (error) {
      lines.close()
      throw error
    }
  }

  /**
   * Runs a command, or several as one: if one is rejected, the others after it are not run.
   * @returns the last value of each key.
   * @throws {MpdRejection} when MPD rejects it; {@link SpeakerError} when it does not respond.
   */
  run(...commands: string[]): Promise<ReadonlyMap<string, string>> {
    const isList = commands.length > 1
    const lines = isList ? ['command_list_begin', ...commands, 'command_list_end'] : commands
    this.#lines.write(lines.join('\n'))
    return this.#readResponse()
  }

  /** The same for a command whose rejection does not matter. */
  async attempt(...commands: string[]): Promise<void> {
    await this.run(...commands).catch((error) => {
      if (!(error instanceof MpdRejection)) throw error
    })
  }

  /** Waits until the player may have changed, two seconds at most, or until an abort. */
  async idle(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const wake = () => this.#lines.write('noidle')
    let giveUp: NodeJS.Timeout | undefined
    const leave = () => {
      wake()
      giveUp = setTimeout(() => this.close(), abortMs)
    }
    const timer = setTimeout(wake, maxIdleMs)
    signal.addEventListener('abort', leave, { once: true })
    try {
      this.#lines.write('idle player')
      await this.#readResponse(maxIdleMs + this.#lines.device.responseMs)
    } finally {
      clearTimeout(timer)
      clearTimeout(giveUp)
      signal.removeEventListener('abort', leave)
    }
  }

  get isOpen(): boolean {
    return this.#lines.isOpen
  }

  close(): void {
    this.#lines.close()
  }

  async #readResponse(limitMs?: number): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>()
    for (let count = 0; count < maxResponseLines; count++) {
      const line = await this.#lines.read(limitMs)
      if (line === 'OK') return values
      if (line.startsWith('ACK ')) throw rejectionOf(this.#lines.device, line)
      const separator = line.indexOf(': ')
      values.set(line.slice(0, separator), line.slice(separator + 2))
    }
    this.close()
    throw deviceError(this.#lines.device, 'other-protocol')
  }
}

/** An argument of a command. Nothing that it contains can end the command. */
export function quoted(text: string): string {
  const printable = Array.from(text).filter((character) => character >= ' ')
  return `"${printable.join('').replace(/[\\"]/g, '\\$&')}"`
}

const passwordProblems: Readonly<Record<string, string>> = {
  3: 'wrong-password',
  4: 'needs-password',
}

/** @param line such as `ACK [50@0] {addid} No such song`. */
function rejectionOf(device: Device, line: string): MpdRejection {
  const [, number = '', text = line] = /^ACK \[(\d+)@\d+\] \{\w*\} (.*)$/.exec(line) ?? []
  const problem = passwordProblems[number]
  if (problem === undefined) {
    const { code, message } = deviceError(device, 'rejected', text)
    return new MpdRejection(code, message)
  }
  const values = { address: textOfAddress(device.address) }
  return new MpdRejection('SPEAKER_REFUSED', device.RED._(`speaker.mpd.${problem}`, values))
}
