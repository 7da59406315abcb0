// How other clients read lines with audio from a web stream.
import { Stream as ElevenLabsStream } from '@elevenlabs/elevenlabs-js/core/stream/Stream.js'
import { Stream as OpenAiStream } from 'openai/core/streaming'

/** The loop of the LiveKit plugin for this wire format; the plugin does not export it. */
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
  const lines = OpenAiStream.fromReadableStream(stream, new AbortController())
  for await (const line of lines) onAudio(toAudio(line))
}

/** Faster than the real client, which also validates each line against a schema. */
export async function readWithElevenLabs(stream, onAudio) {
  const eventShape = { type: 'json', messageTerminator: '\n' }
  const lines = new ElevenLabsStream({ stream, eventShape, parse: async (line) => line })
  for await (const line of lines) onAudio(toAudio(line))
}

export function toAudio(line) {
  return Buffer.from(line.result.audioContent, 'base64')
}
