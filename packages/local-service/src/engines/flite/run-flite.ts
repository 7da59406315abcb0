import { mapTimes } from '../map-times.ts'
import type { PhraseEnd, PieceOfSound, ThreadPhrase } from '../threads/thread-protocol.ts'
import { createFileOutput } from './file-output.ts'
import type { FliteModule } from './flite-module.ts'
import { sampleRateHertz } from './sample-rate.ts'
import { readSpokenTokens, type SpokenToken } from './spoken-tokens.ts'
import { connectStreamOutput } from './stream-output.ts'
import { createVoiceSelector } from './voice-selector.ts'
import { createWasi, type OpenFile } from './wasi.ts'

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
  /** Receives the speech for each phrase in order, in pieces, while flite makes it. */
  onSound(sound: FliteSound): void
  /** Whether to end the phrase before its last piece. */
  isStopped(): boolean
  /** Called after the last piece of a phrase. */
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
 * the next one; a new start for every phrase would cost 10 to 20 ms. The memory is restored after each phrase, so that
 * the same phrase sounds the same each time. Only the part that flite writes to is kept, 6 of 23 MB. Never returns; it
 * ends with its thread.
 */
export async function runFliteProgram(options: FliteProgramOptions): Promise<never> {
  const { module, onEnd } = options
  const { writableStart, streamCallbackIndex } = module
  let hasStarted = false
  let image: Uint8Array | undefined
  let phrase: FlitePhrase | undefined
  let spokenSamples = 0
  let isStopped = false

  const nextInput = (): Buffer => {
    if (!hasStarted) {
      hasStarted = true
      return Buffer.concat([Buffer.alloc(firstPhraseSpaces, ' '), Buffer.from('Hi\n')])
    }
    if (phrase) onEnd({ isStopped, memoryBytes: memory.buffer.byteLength })
    image ??= new Uint8Array(memory.buffer).slice(writableStart)
    new Uint8Array(memory.buffer).set(image, writableStart)
    phrase = options.nextPhrase()
    voices.select(phrase.voice)
    spokenSamples = 0
    isStopped = false
    return Buffer.from(`${phrase.text}\n`)
  }

  const openInput = (): OpenFile => {
    const content = nextInput()
    return { content, position: 0, sizeBytes: content.length }
  }

  // flite frees the tokens of a sentence after its last sound. So they are read at its first sound.
  const onSound = (samples: Float32Array, isSentenceStart: boolean) => {
    if (!phrase) return
    const wasPassedOn = spokenSamples < (phrase.passedOnSamples ?? 0)
    const tokens = phrase.withTokens && isSentenceStart && !wasPassedOn ? readTokens() : undefined
    spokenSamples += samples.length
    if (!wasPassedOn) options.onSound({ samples, tokens })
  }

  const readTokens = (): SpokenToken[] => {
    const startSeconds = spokenSamples / sampleRateHertz
    return readSpokenTokens(memory, writableStart).map((token) =>
      mapTimes(token, (seconds) => seconds + startSeconds),
    )
  }

  const output = streamCallbackIndex === undefined ? outputName : 'stream'
  const openOutput = createFileOutput(onSound)
  const wasi = createWasi({
    programArguments: ['flite', '-voice', firstVoice, '-l', '-o', output, '-f', inputName],
    open: (name, flags) => {
      if (name === inputName) return openInput()
      return name === outputName ? openOutput(flags) : undefined
    },
    memory: () => memory,
  })
  const { exports } = await WebAssembly.instantiate(module.code, { wasi_snapshot_preview1: wasi })
  const memory = exports['memory'] as WebAssembly.Memory
  const voices = createVoiceSelector(module, memory, firstVoice)
  if (streamCallbackIndex !== undefined) {
    connectStreamOutput({
      memory,
      table: exports['table'] as WebAssembly.Table,
      callbackIndex: streamCallbackIndex,
      pieceSamples: () => pieceSamples(spokenSamples),
      isStopped: () => (isStopped ||= options.isStopped()),
      onSound,
    })
  }
  ;(exports['_start'] as () => void)()
  throw new Error('flite ended its loop')
}

function pieceSamples(spokenSamples: number): number {
  const isStart = spokenSamples < startSeconds * sampleRateHertz
  return (isStart ? startPieceSeconds : pieceSeconds) * sampleRateHertz
}
