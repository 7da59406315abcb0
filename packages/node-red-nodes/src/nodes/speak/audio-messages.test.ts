import { expect, it } from 'vitest'
import { type SpeakOptions, silentPart, speechMessages } from './audio-messages.ts'

const chunkBytes = 50 * 1024 * 1024

/** 250 MiB of speech, and the number of requested chunks. */
function longSpeech() {
  let chunks = 0
  let hasEnded = false
  async function* speech() {
    try {
      while (chunks < 5) {
        chunks += 1
        yield { audio: Buffer.alloc(chunkBytes) }
      }
    } finally {
      hasEnded = true
    }
  }
  const stream = Object.assign(speech(), {
    encoding: 'PCM',
    mediaType: 'audio/pcm',
    sampleRateHertz: 24_000,
  }) as unknown as SpeakOptions['stream']
  return { stream, facts: () => ({ chunks, hasEnded }) }
}

it('one message with all audio has a limit of 128 MiB, at which the speech stops', async () => {
  const { stream, facts } = longSpeech()
  const message = { _msgid: 'a', payload: 'A long story.' }
  const steps = speechMessages({
    stream,
    request: { text: message.payload, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig: {} },
    message,
    output: 'whole',
    hasCaptions: false,
    sequenceId: 'a',
    warning: () => undefined,
    clone: (original) => ({ ...original }),
    tooLarge: (mebibytes) => `larger than ${mebibytes} MiB`,
  })
  const listening = async () => {
    for await (const step of steps) expect(step.message).toBeUndefined()
  }
  await expect(listening()).rejects.toThrow('larger than 128 MiB')
  expect(facts()).toEqual({ chunks: 3, hasEnded: true })
  expect(message.payload).toBe('A long story.')
})

it.each(['whole', 'chunks'] as const)(
  'a part without audio says nothing about the audio of an earlier node: %s',
  (output) => {
    const message = {
      ...{ _msgid: 'a', payload: '', warning: 'Read by a voice of another language.' },
      chapters: [{ title: 'One', startSeconds: 0, endSeconds: 1 }],
      parts: { id: 'sentences', index: 1, count: 2, type: 'string' },
    }
    const sent = silentPart({ message, output, sequenceId: 'b' })
    expect(sent).not.toHaveProperty('warning')
    expect(sent).not.toHaveProperty('chapters')
  },
)
