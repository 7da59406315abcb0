// How others read lines with audio from a web stream.
import { Stream as ElevenLabsStream } from '@elevenlabs/elevenlabs-js/core/stream/Stream.js'
import { Stream as OpenAiStream } from 'openai/core/streaming'

/** The loop of the LiveKit plugin for this wire format, which it does not export. */
export async function readLikeLiveKit(stream, onAudio) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let buffered = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    buffered += decoder.decode(value, { stream: true })
    const lines = buffered.split('\n')
    buffered = lines.pop()
    for (const line of lines) {
      if (line.trim()) onAudio(toAudio(JSON.parse(line)))
    }
  }
}

export async function readWithOpenAi(stream, onAudio) {
  const answers = OpenAiStream.fromReadableStream(stream, new AbortController())
  for await (const answer of answers) onAudio(toAudio(answer))
}

/** Kinder than the real one, which also runs a schema over each line. */
export async function readWithElevenLabs(stream, onAudio) {
  const eventShape = { type: 'json', messageTerminator: '\n' }
  const answers = new ElevenLabsStream({ stream, eventShape, parse: async (answer) => answer })
  for await (const answer of answers) onAudio(toAudio(answer))
}

export function toAudio(answer) {
  return Buffer.from(answer.result.audioContent, 'base64')
}
