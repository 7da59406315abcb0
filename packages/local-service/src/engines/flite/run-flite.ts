import { fromPcmBytes } from '../../dsp/pcm.ts'
import { mapTimes } from '../map-times.ts'
import type { FliteModule } from './flite-module.ts'
import { readSpokenTokens, type SpokenToken } from './spoken-tokens.ts'
import { createVoiceSelector } from './voice-selector.ts'
import { createWasi, type OpenFile } from './wasi.ts'

const inputName = 'phrase.txt'
const outputName = 'speech.wav'
const wavHeaderBytes = 44
const sampleRateOffset = 24

export interface FlitePhrase {
  voice: string
  text: string
  withTokens: boolean
}

export interface FliteSpeech {
  /** Mono, −1…1, at the rate of the voice. */
  samples: Float32Array
  /** The spoken tokens with their times from the start of the samples; empty if not requested. */
  tokens: readonly SpokenToken[]
  /** The memory of flite after the phrase. */
  memoryBytes: number
}

export interface FliteProgramOptions {
  module: FliteModule
  /** Called when flite is ready for a phrase. Blocks until there is one. */
  nextPhrase(): FlitePhrase
  /** Receives the speech for each phrase. */
  onSpeech(speech: FliteSpeech): void
}

// The voice that Flite selects when it starts.
const firstVoice = 'slt'
// As long as any real phrase, so that flite has allocated all the memory it needs when the image is taken.
const firstPhrase =
  'When everything has been washed and dried, the kitchen lights are switched off, and the house says good night'

/**
 * Runs flite once for all phrases. In its loop mode (`-l`) it reopens the input file after each phrase and then reads
 * the next one; a new start for every phrase would cost 10 to 20 ms. The memory is restored after each phrase, because
 * otherwise the noise generator would continue and the same phrase would sound different each time. Only the part that
 * flite writes to is kept, 5 of 22 MB. Never returns; it ends with its thread.
 */
export async function runFliteProgram(options: FliteProgramOptions): Promise<never> {
  const { module, onSpeech } = options
  const { writableStart } = module
  let hasStarted = false
  let image: Uint8Array | undefined
  let phrase: FlitePhrase | undefined
  let sound: Uint8Array[] = []
  let tokens: SpokenToken[] = []

  const nextPhrase = (): string => {
    if (!hasStarted) {
      hasStarted = true
      return firstPhrase
    }
    if (phrase) {
      const memoryBytes = memory.buffer.byteLength
      onSpeech({ samples: fromPcmBytes(Buffer.concat(sound)), tokens, memoryBytes })
    }
    image ??= new Uint8Array(memory.buffer).slice(writableStart)
    new Uint8Array(memory.buffer).set(image, writableStart)
    phrase = options.nextPhrase()
    voices.select(phrase.voice)
    sound = []
    tokens = []
    return phrase.text
  }

  const openInput = (): OpenFile => {
    const content = Buffer.from(`${nextPhrase()}\n`)
    return { content, position: 0, sizeBytes: content.length }
  }

  // flite first writes a file with only a header. Then it reopens it, reads and corrects the header, and appends sound.
  const header = new Uint8Array(wavHeaderBytes)
  let outputBytes = 0
  const openOutput = (flags: { truncate: boolean }): OpenFile => {
    if (flags.truncate) outputBytes = 0
    const bytesBefore = Math.max(0, outputBytes - wavHeaderBytes)
    let hasTokens = false
    return {
      content: header,
      position: 0,
      sizeBytes: outputBytes,
      write(bytes, position) {
        outputBytes = Math.max(outputBytes, position + bytes.length)
        const headerPart = bytes.subarray(0, Math.max(0, wavHeaderBytes - position))
        header.set(headerPart, Math.min(position, wavHeaderBytes))
        if (bytes.length === headerPart.length) return
        sound.push(bytes.slice(headerPart.length))
        // flite speaks and writes sentences one by one, and frees each after writing. So tokens are read at the first write.
        if (phrase?.withTokens && !hasTokens) tokens.push(...tokensFrom(bytesBefore))
        hasTokens = true
      },
    }
  }

  const tokensFrom = (soundBytes: number): SpokenToken[] => {
    const startSeconds = soundBytes / 2 / Buffer.from(header.buffer).readUInt32LE(sampleRateOffset)
    return readSpokenTokens(memory, writableStart).map((token) =>
      mapTimes(token, (seconds) => seconds + startSeconds),
    )
  }

  const wasi = createWasi({
    programArguments: ['flite', '-voice', firstVoice, '-l', '-o', outputName, '-f', inputName],
    open: (name, flags) => {
      if (name === inputName) return openInput()
      return name === outputName ? openOutput(flags) : undefined
    },
    memory: () => memory,
  })
  const instance = await WebAssembly.instantiate(module.code, { wasi_snapshot_preview1: wasi })
  const memory = instance.exports['memory'] as WebAssembly.Memory
  const voices = createVoiceSelector(module, memory, firstVoice)
  ;(instance.exports['_start'] as () => void)()
  throw new Error('flite ended its loop')
}
