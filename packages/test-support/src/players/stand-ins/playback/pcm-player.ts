import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { endWithProcess } from '../../programs/end-with-process.ts'

/** Plays 16-bit samples on a sound server, one source at a time. */
export class PcmPlayer {
  readonly #environment: NodeJS.ProcessEnv
  readonly #format: readonly string[]
  #child: ChildProcess | undefined
  #startedAt = 0
  #fromSeconds = 0

  constructor(environment: NodeJS.ProcessEnv, rateHertz: number, channels: number) {
    this.#environment = environment
    this.#format = ['--format=s16le', `--rate=${rateHertz}`, `--channels=${channels}`]
  }

  /** In what plays. */
  get positionSeconds(): number {
    return this.#fromSeconds + (performance.now() - this.#startedAt) / 1000
  }

  /**
   * Plays samples instead of what it was playing.
   * @param volume 0 to 1: about the cube root of the amplitude, as that of most devices.
   * @param fromSeconds where they begin, for its position.
   * @returns when they end; false if they were stopped.
   */
  async play(samples: AsyncIterable<Buffer>, volume: number, fromSeconds = 0): Promise<boolean> {
    await this.stop()
    // PulseAudio's volume is the cube root of the amplitude.
    const scale = `--volume=${Math.round(65_536 * volume)}`
    const options = ['--raw', ...this.#format, '--latency-msec=100', scale]
    const child = spawn('pacat', options, {
      env: this.#environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    endWithProcess(child)
    this.#child = child
    this.#startedAt = performance.now()
    this.#fromSeconds = fromSeconds
    const exited = once(child, 'exit')
    await pipeline(samples, child.stdin).catch(() => {})
    const [, signal] = await exited
    return signal === null
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}
