import { randomBytes } from 'node:crypto'

const timestampInfo = {
  wordAlignment: {
    words: ['Good', 'morning,', 'the', 'washing', 'machine', 'has', 'finished.'],
    wordStartTimeSeconds: [0.012, 0.214, 0.561, 0.672, 1.011, 1.402, 1.583],
    wordEndTimeSeconds: [0.201, 0.552, 0.664, 1.003, 1.394, 1.571, 2.104],
    phoneticDetails: [
      {
        wordIndex: 0,
        phones: [{ phoneSymbol: 'g', startTimeSeconds: 0.012, durationSeconds: 0.05 }],
      },
      {
        wordIndex: 1,
        phones: [{ phoneSymbol: 'm', startTimeSeconds: 0.214, durationSeconds: 0.06 }],
      },
    ],
  },
}
const usage = { processedCharactersCount: 42, modelId: 'svc-tts-2' }

/** Members that a line can contain in addition to its audio. */
export const companions = { usage: { usage }, timestamps: { timestampInfo } }

/** A stream of lines with random audio. @returns its bytes, the audio, and the span of each line's base64. */
export function createBody({ chunkBytes, audioBytes, companion = {} }) {
  const audio = randomBytes(audioBytes)
  const pieces = []
  const spans = []
  let sizeBytes = 0
  for (let at = 0; at < audioBytes; at += chunkBytes) {
    const audioContent = audio.toString('base64', at, at + chunkBytes)
    const line = Buffer.from(`${JSON.stringify({ result: { audioContent, ...companion } })}\n`)
    const start = sizeBytes + line.indexOf(audioContent)
    spans.push({ start, end: start + audioContent.length })
    pieces.push(line)
    sizeBytes += line.length
  }
  return { bytes: Buffer.concat(pieces), audio, chunkBytes, spans }
}

/** Adds the body cut into `pieces` of `readBytes`, as a socket would deliver it. */
export function readsOf(body, readBytes) {
  const pieces = []
  for (let at = 0; at < body.bytes.length; at += readBytes) {
    pieces.push(body.bytes.subarray(at, at + readBytes))
  }
  return { ...body, pieces }
}
