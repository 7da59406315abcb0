import { mapTimes } from '../engine.ts'
import type {
  PieceOfSound,
  ServedPhrase,
  ServedPhrases,
  ThreadPhrase,
} from '../threads/serve-phrases.ts'
import { createFileOutput } from './file-output.ts'
import type { FliteModule } from './flite-module.ts'
import { readSpokenTokens, type SpokenToken } from './spoken-tokens.ts'
import { connectStreamOutput, sampleRateHertz } from './stream-output.ts'
import { createVoiceSelector } from './voice-selector.ts'
import { createWasi } from './wasi.ts'

const inputName = 'phrase.txt'
const outputName = 'speech.wav'

// The length of the pieces in which sound is passed on: short at the start of a phrase, which begins with a fifth
// of a second of silence, and as long as the chunks of a response once there is some sound to play.
const startSeconds = 0.5
const startPieceSeconds = 0.1
const pieceSeconds = 0.25

export interface FlitePhrase extends ThreadPhrase {
  voice: string
  withTokens: boolean
}

export interface FliteSound extends PieceOfSound {
  /**
   * The tokens of the sentence that begins with this piece, with their times from the start of the phrase. Absent if no
   * sentence begins or if not requested.
   */
  tokens?: readonly SpokenToken[]
}

type Served = ServedPhrase<FlitePhrase, FliteSound>
type AllServed = Pick<ServedPhrases<FlitePhrase, FliteSound>, 'next' | 'peek'>

// The voice that Flite selects when it starts.
const firstVoice = 'slt'
// Memory that malloc acquires after the image is taken is lost when the image is restored. Flite reads these spaces into
// a buffer that it enlarges step by step and then frees. Afterwards malloc has as much memory as a real phrase needs. To
// speak a phrase that needs as much would take longer.
const firstPhraseSpaces = 2_200_000

/**
 * Runs flite once for all phrases. In its loop mode (`-l`) it reopens the input file after each phrase and then reads
 * the next one; a new start for every phrase would cost 10 to 20 ms. Never returns; it ends with its thread.
 * @param served Each phrase receives its speech in pieces, while flite makes it.
 */
export async function runFliteProgram(module: FliteModule, served: AllServed): Promise<never> {
  const { streamCallbackIndex } = module
  const output = streamCallbackIndex === undefined ? outputName : 'stream'
  const openOutput = createFileOutput((...sound) => phrases.addSound(...sound))
  const wasi = createWasi({
    programArguments: ['flite', '-voice', firstVoice, '-l', '-o', output, '-f', inputName],
    open(name, flags) {
      if (name !== inputName) return name === outputName ? openOutput(flags) : undefined
      const content = phrases.nextInput()
      return { content, position: 0, sizeBytes: content.length }
    },
    memory: () => memory,
  })
  const { exports } = await WebAssembly.instantiate(module.code, { wasi_snapshot_preview1: wasi })
  const memory = exports['memory'] as WebAssembly.Memory
  const phrases = new Phrases(module, served, memory)
  if (streamCallbackIndex !== undefined) {
    connectStreamOutput({
      memory,
      table: exports['table'] as WebAssembly.Table,
      callbackIndex: streamCallbackIndex,
      pieceSamples: () => pieceSamples(phrases.spokenSamples),
      isStopped: () => phrases.isStopped(),
      onSound: (...sound) => phrases.addSound(...sound),
    })
  }
  ;(exports['_start'] as () => void)()
  throw new Error('flite ended its loop')
}

/**
 * The phrases that flite reads and speaks. The memory is restored after each phrase, so that the same phrase sounds the same
 * each time. Only the part that flite writes to is kept, 6 of 23 MB. Flite cannot leave a phrase and return to it, so an
 * interrupted one is made again without what was passed on: that costs work, a hundredth of the time that its sound plays, and no
 * memory. So only a phrase that has not begun interrupts one.
 */
class Phrases {
  /** How many samples of the current phrase are made. */
  spokenSamples = 0
  readonly #module: FliteModule
  readonly #served: AllServed
  readonly #memory: WebAssembly.Memory
  readonly #voices: ReturnType<typeof createVoiceSelector>
  /** How many samples of each phrase that has begun were passed on. */
  readonly #passedOn = new Map<Served, number>()
  #hasStarted = false
  #image: Uint8Array | undefined
  #present: Served | undefined
  #isStopped = false
  #isInterrupted = false

  constructor(module: FliteModule, served: AllServed, memory: WebAssembly.Memory) {
    this.#module = module
    this.#served = served
    this.#memory = memory
    this.#voices = createVoiceSelector(module, memory, firstVoice)
  }

  /** Ends the phrase that flite has spoken, and waits for the next one. */
  nextInput(): Buffer {
    const { writableStart } = this.#module
    const { buffer } = this.#memory
    if (!this.#hasStarted) {
      this.#hasStarted = true
      return Buffer.concat([Buffer.alloc(firstPhraseSpaces, ' '), Buffer.from('Hi\n')])
    }
    if (this.#present && !this.#isInterrupted) {
      this.#passedOn.delete(this.#present)
      this.#present.end({ isStopped: this.#isStopped, memoryBytes: buffer.byteLength })
    }
    this.#image ??= new Uint8Array(buffer).slice(writableStart)
    new Uint8Array(buffer).set(this.#image, writableStart)
    this.#present = this.#served.next()
    const { voice, text, passedOnSamples = 0 } = this.#present.phrase
    if (!this.#passedOn.has(this.#present)) this.#passedOn.set(this.#present, passedOnSamples)
    this.#voices.select(voice)
    this.spokenSamples = 0
    this.#isStopped = false
    this.#isInterrupted = false
    return Buffer.from(`${text}\n`)
  }

  /** Whether flite has to end the phrase, for now or for good. */
  isStopped(): boolean {
    const present = this.#present
    if (!present || this.#isInterrupted) return this.#isInterrupted
    this.#isStopped ||= present.isStopped()
    if (!this.#isStopped && this.spokenSamples > 0) {
      this.#isInterrupted = !this.#passedOn.has(this.#served.peek() ?? present)
    }
    return this.#isStopped || this.#isInterrupted
  }

  addSound(samples: Float32Array, isSentenceStart: boolean): void {
    const present = this.#present
    if (!present) return
    const wasPassedOn = this.spokenSamples < this.#passedOn.get(present)!
    // flite frees the tokens of a sentence after its last sound. So they are read at its first sound.
    const hasTokens = present.phrase.withTokens && isSentenceStart && !wasPassedOn
    const tokens = hasTokens ? this.#readTokens() : undefined
    this.spokenSamples += samples.length
    if (wasPassedOn) return
    this.#passedOn.set(present, this.spokenSamples)
    present.passOn({ samples, tokens })
  }

  #readTokens(): SpokenToken[] {
    const startSeconds = this.spokenSamples / sampleRateHertz
    return readSpokenTokens(this.#memory, this.#module.writableStart).map((token) =>
      mapTimes(token, (seconds) => seconds + startSeconds),
    )
  }
}

function pieceSamples(spokenSamples: number): number {
  const isStart = spokenSamples < startSeconds * sampleRateHertz
  return (isStart ? startPieceSeconds : pieceSeconds) * sampleRateHertz
}
