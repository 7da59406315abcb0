import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { endWithProcess } from '../../programs/end-with-process.ts'

export interface DecodingOptions {
  rateHertz: number
  channels: number
  /** What ffmpeg is told about the input, such as `-re`. Default: nothing. */
  input?: readonly string[]
  /** What ffmpeg is told about the output, such as `-af volume=0.5`. Default: nothing. */
  output?: readonly string[]
}

/** What ffmpeg makes of an address or a file: 16-bit samples, in memory, while they grow. */
export class Decoding {
  /** Resolves at the end. */
  readonly finished: Promise<void>
  readonly #chunks: Buffer[] = []
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #bytesPerSecond: number
  readonly #child: ReturnType<typeof spawn>
  #bytes = 0
  #isFinished = false

  constructor(source: string, { rateHertz, channels, input = [], output = [] }: DecodingOptions) {
    this.#bytesPerSecond = 2 * channels * rateHertz
    const samples = ['-f', 's16le', '-ac', String(channels), '-ar', String(rateHertz), '-']
    const options = [
      '-v',
      'error',
      '-nostdin',
      ...input,
      '-i',
      source,
      ...output,
      '-vn',
      ...samples,
    ]
    this.#child = endWithProcess(
      spawn('ffmpeg', options, { stdio: ['ignore', 'pipe', 'ignore'] }),
    ) as ReturnType<typeof spawn>
    this.#child.stdout!.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      this.#events.emit('more')
    })
    this.finished = once(this.#child, 'close').then(() => {
      this.#isFinished = true
      this.#events.emit('more')
    })
  }

  /** Of what was decoded so far. */
  get seconds(): number {
    return this.#bytes / this.#bytesPerSecond
  }

  /** Resolves when there is something to play, or nothing will be. @returns whether there is. */
  async ready(): Promise<boolean> {
    while (this.#bytes === 0 && !this.#isFinished) await once(this.#events, 'more')
    return this.#bytes > 0
  }

  async *read(fromSeconds = 0): AsyncGenerator<Buffer> {
    let toSkip = 4 * Math.round((fromSeconds * this.#bytesPerSecond) / 4)
    for (let index = 0; ; index++) {
      while (index >= this.#chunks.length) {
        if (this.#isFinished) return
        await once(this.#events, 'more')
      }
      const chunk = this.#chunks[index]!
      if (toSkip < chunk.length) yield chunk.subarray(toSkip)
      toSkip = Math.max(0, toSkip - chunk.length)
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.finished
  }
}
