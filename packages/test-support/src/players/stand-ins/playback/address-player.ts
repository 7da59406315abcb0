import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** An MP3 frame at 44.1 kHz. */
const frameSeconds = 1152 / 44_100

/** What a device of the stand-in plays on: a program that fetches and plays one address at a time. */
export class AddressPlayer {
  readonly #environment: NodeJS.ProcessEnv
  #process: ChildProcess | undefined
  #startedAt = 0
  #skippedSeconds = 0

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  /** In what plays. */
  get positionSeconds(): number {
    return this.#skippedSeconds + (performance.now() - this.#startedAt) / 1000
  }

  /**
   * Plays an address or a file, instead of what it was playing.
   * @param volume 0 to 1.
   * @returns when it ends; false if it was stopped.
   */
  async play(source: string, volume: number, fromSeconds = 0): Promise<boolean> {
    this.#skippedSeconds = fromSeconds
    this.#startedAt = performance.now()
    await this.stop()
    // About as the volumes of devices.
    const scale = String(Math.round(32_768 * volume ** 3))
    const skip = String(Math.round(fromSeconds / frameSeconds))
    const options = ['--quiet', '-o', 'pulse', '-f', scale, '-k', skip, source]
    const player = spawn('mpg123', options, { env: this.#environment, stdio: 'ignore' })
    this.#process = player
    this.#startedAt = performance.now()
    const [, signal] = await once(player, 'exit')
    return signal === null
  }

  async stop(): Promise<void> {
    const player = this.#process
    if (!player || player.exitCode !== null || player.signalCode !== null) return
    const exited = once(player, 'exit')
    player.kill('SIGKILL')
    await exited
  }
}
