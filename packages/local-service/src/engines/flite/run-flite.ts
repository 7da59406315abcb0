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
  const { module, onSpeech } = options
  const { writableStart } = module
  let hasStarted = false
  let image: Uint8Array | undefined
  let phrase: FlitePhrase | undefined
  const sound = createSoundBuffer()
  let tokens: SpokenToken[] = []

  const nextInput = (): Buffer => {
    if (!hasStarted) {
      hasStarted = true
      return Buffer.concat([Buffer.alloc(firstPhraseSpaces, ' '), Buffer.from('Hi\n')])
    }
    if (phrase) {
      const memoryBytes = memory.buffer.byteLength
      onSpeech({ samples: fromPcmBytes(sound.bytes), tokens, memoryBytes })
    }
    image ??= new Uint8Array(memory.buffer).slice(writableStart)
    new Uint8Array(memory.buffer).set(image, writableStart)
    phrase = options.nextPhrase()
    voices.select(phrase.voice)
    sound.clear()
    tokens = []
    return Buffer.from(`${phrase.text}\n`)
  }

  const openInput = (): OpenFile => {
    const content = nextInput()
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
        sound.push(bytes.subarray(headerPart.length))
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

/** Joins the pieces of a phrase. It keeps its memory, since garbage is rarely collected on a thread that never rests. */
function createSoundBuffer() {
  let memory = new Uint8Array(1 << 17)
  let length = 0
  return {
    get bytes(): Uint8Array {
      return memory.subarray(0, length)
    },
    push(bytes: Uint8Array) {
      if (length + bytes.length > memory.length) {
        const larger = new Uint8Array(2 * (length + bytes.length))
        larger.set(memory.subarray(0, length))
        memory = larger
      }
      memory.set(bytes, length)
      length += bytes.length
    },
    clear() {
      length = 0
    },
  }
}
