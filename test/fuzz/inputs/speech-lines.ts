import fc from 'fast-check'
import { type Bytes, cuts, damaged } from './bytes.ts'
import { mutated } from './json.ts'

export interface SpeechResponse {
  /** The lines of the undamaged stream, each with its newline. */
  lines: Bytes[]
  /** The audio of each line. */
  sounds: Buffer[]
  bytes: Bytes
  cuts: number[]
}

const sound = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      rate: fc.constantFrom(8000, 24_000, 48_000, 0, 2 ** 31, 2 ** 32 - 1),
      bytes: fc.nat(40),
    })
    .map(({ rate, bytes }) => wav(rate, bytes)),
)

const usage = { processedCharactersCount: 3, modelId: 'svc-tts-2' }
const wordAlignment = {
  words: ['Hi.'],
  wordStartTimeSeconds: [0],
  wordEndTimeSeconds: [0.2],
  phoneticDetails: [
    {
      wordIndex: 0,
      phones: [
        { phoneSymbol: 'h', startTimeSeconds: 0, durationSeconds: 0.2, visemeSymbol: 'cdgknstxyz' },
      ],
    },
  ],
}

const goodLine = fc
  .tuple(sound, fc.constantFrom({}, { usage }, { timestampInfo: { wordAlignment } }))
  .map(([audio, more]) => ({
    audio,
    json: { result: { audioContent: audio.toString('base64'), ...more } as object },
  }))

const malformedLine = goodLine.chain(({ json }) => mutated(json)).map(toLine)

/** A speech stream with random damage and malformed lines between the valid ones. */
export const speechResponse: fc.Arbitrary<SpeechResponse> = fc
  .tuple(
    fc.array(goodLine, { minLength: 1, maxLength: 5 }),
    fc.array(malformedLine, { maxLength: 2 }),
  )
  .chain(([good, strange]) => {
    const lines = good.map(({ json }) => toLine(json))
    const bytes = damaged([...lines, ...strange].join(''))
    return fc.record({
      lines: fc.constant(lines),
      sounds: fc.constant(good.map(({ audio }) => audio)),
      bytes,
      cuts,
    })
  })

function toLine(json: unknown): Bytes {
  return Buffer.from(`${JSON.stringify(json)}\n`).toString('latin1')
}

/** A mono file with 16-bit samples. */
export function wav(rate: number, bytes: number): Buffer {
  const header = Buffer.alloc(44 + bytes, 1)
  header.write('RIFF', 0, 'latin1')
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  return header
}
