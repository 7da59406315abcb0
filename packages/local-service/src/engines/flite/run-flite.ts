import { mapTimes } from '../engine.ts'
import type { PhraseEnd, PieceOfSound, ThreadPhrase } from '../threads/serve-phrases.ts'
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

export interface FliteProgramOptions {
  module: FliteModule
  /** Called when flite is ready for a phrase. Blocks until there is one. */
  nextPhrase(): FlitePhrase
  /** A phrase that has to be spoken before the present one goes on, if there is one. Asked after each piece. */
  nextUrgent(): FlitePhrase | undefined
  /** Receives the speech for each phrase in order, in pieces, while flite makes it. */
  onSound(sound: FliteSound): void
  /** Whether to end the phrase before its last piece. */
  isStopped(): boolean
  /** Called after the last piece of a phrase. Then those go on that it has interrupted, the last one first. */
  onEnd(end: PhraseEnd): void
}

// The voice that Flite selects when it starts.
const firstVoice = 'slt'
// Memory that malloc acquires after the image is taken is lost when the image is restored. Flite reads these spaces into
// a buffer that it enlarges step by step and then frees. Afterwards malloc has as much memory as a real phrase needs. To
// speak a phrase that needs as much would take longer.
const firstPhraseSpaces = 2_200_000

/**
 * Runs flite once for all phrases. In its loop mode (`-l`) it reopens the input file after each phrase and then reads
 * the next one; a new start for every phrase would cost 10 to 20 ms. Never returns; it ends with its thread.
 */
export async function runFliteProgram(options: FliteProgramOptions): Promise<never> {
  const { module } = options
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
  const phrases = new Phrases(options, memory)
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
 * memory.
 */
class Phrases {
  /** How many samples of the current phrase are made. */
  spokenSamples = 0
  readonly #options: FliteProgramOptions
  readonly #memory: WebAssembly.Memory
  readonly #voices: ReturnType<typeof createVoiceSelector>
  #hasStarted = false
  #image: Uint8Array | undefined
  #phrase: FlitePhrase | undefined
  #isStopped = false
  #urgent: FlitePhrase | undefined
  /** The last one is the first to go on. */
  readonly #interrupted: FlitePhrase[] = []

  constructor(options: FliteProgramOptions, memory: WebAssembly.Memory) {
    this.#options = options
    this.#memory = memory
    this.#voices = createVoiceSelector(options.module, memory, firstVoice)
  }

  /** Ends the phrase that flite has spoken, and waits for the next one. */
  nextInput(): Buffer {
    const { module, onEnd } = this.#options
    const { buffer } = this.#memory
    if (!this.#hasStarted) {
      this.#hasStarted = true
      return Buffer.concat([Buffer.alloc(firstPhraseSpaces, ' '), Buffer.from('Hi\n')])
    }
    if (this.#phrase && !this.#urgent) {
      onEnd({ isStopped: this.#isStopped, memoryBytes: buffer.byteLength })
    }
    this.#image ??= new Uint8Array(buffer).slice(module.writableStart)
    new Uint8Array(buffer).set(this.#image, module.writableStart)
    this.#phrase = this.#takePhrase()
    this.#voices.select(this.#phrase.voice)
    this.spokenSamples = 0
    this.#isStopped = false
    return Buffer.from(`${this.#phrase.text}\n`)
  }

  /** Whether flite has to end the phrase, for now or for good. */
  isStopped(): boolean {
    // The options are about the phrase that was taken last.
    if (this.#urgent) return true
    this.#isStopped ||= this.#options.isStopped()
    if (!this.#isStopped && this.spokenSamples > 0) this.#urgent = this.#options.nextUrgent()
    return this.#isStopped || this.#urgent !== undefined
  }

  addSound(samples: Float32Array, isSentenceStart: boolean): void {
    const phrase = this.#phrase
    if (!phrase) return
    const wasPassedOn = this.spokenSamples < (phrase.passedOnSamples ?? 0)
    // flite frees the tokens of a sentence after its last sound. So they are read at its first sound.
    const hasTokens = phrase.withTokens && isSentenceStart && !wasPassedOn
    const tokens = hasTokens ? this.#readTokens() : undefined
    this.spokenSamples += samples.length
    if (!wasPassedOn) this.#options.onSound({ samples, tokens })
  }

  #takePhrase(): FlitePhrase {
    const urgent = this.#urgent
    this.#urgent = undefined
    if (!urgent) return this.#interrupted.pop() ?? this.#options.nextPhrase()
    const present = this.#phrase!
    const passedOnSamples = Math.max(this.spokenSamples, present.passedOnSamples ?? 0)
    this.#interrupted.push({ ...present, passedOnSamples })
    return urgent
  }

  #readTokens(): SpokenToken[] {
    const startSeconds = this.spokenSamples / sampleRateHertz
    return readSpokenTokens(this.#memory, this.#options.module.writableStart).map((token) =>
      mapTimes(token, (seconds) => seconds + startSeconds),
    )
  }
}

function pieceSamples(spokenSamples: number): number {
  const isStart = spokenSamples < startSeconds * sampleRateHertz
  return (isStart ? startPieceSeconds : pieceSeconds) * sampleRateHertz
}
