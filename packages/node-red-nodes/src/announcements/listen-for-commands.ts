import type { Client, TranscriptionEvent } from '@parlando/core'
import { createEchoFreeStream, type EchoFreeStream } from '../microphones/echo/echo-free-stream.ts'
import { sampleRateHertz } from '../microphones/microphone-recording.ts'
import { certainSentence } from '../recognition/recognised.ts'
import { containsWords } from '../recognition/same-words.ts'
import type { Sound } from '../sounds/sound.ts'
import type { SpokenCommand } from '../speakers/display.ts'
import type { Driver } from '../speakers/driver.ts'
import { type CommandSentences, commandSentences, findCommand } from './spoken-commands.ts'

/** How an announcement recognises what somebody says to it. */
export interface CommandRecogniser {
  /** The language of Node-RED, or of the announcement. */
  language: string
  /** Runs work with the client of a speech service. */
  use(signal: AbortSignal, work: (client: Client) => Promise<void>): Promise<void>
  /** Called if nothing can be heard or recognised. */
  onProblem(error: unknown): void
}

export interface CommandListenerOptions {
  hear: NonNullable<Driver['hearCommands']>
  recogniser: CommandRecogniser
  /** The spoken text. */
  text: string
  /** The sound that plays now. */
  sound: Sound
  /** Ends it. */
  signal: AbortSignal
  /** Somebody has said something, perhaps a command. Never called for the sound itself. */
  onHeard(text: string, command: SpokenCommand | undefined): void
}

/** Somebody who says a short command has finished after this silence. */
const silenceMs = 300
/** "Remind me later", said slowly. */
const maxCommandSamples = 1.5 * sampleRateHertz
/** Pages of one speaker: the first ones that hear something. */
const maxMicrophones = 3

/**
 * Listens for commands next to a speaker while a sound plays there, without taking the sound itself for a command. Begins when
 * the sound does, and goes on until the signal aborts.
 * @throws if nothing can be heard or recognised.
 */
export async function listenForCommands(options: CommandListenerOptions): Promise<void> {
  const { hear, recogniser, sound, signal } = options
  const sentences = commandSentences(recogniser.language)
  if (!sentences || sound.format.audioEncoding !== 'PCM') return
  const startedAt = performance.now()
  const failed = new AbortController()
  const limit = AbortSignal.any([signal, failed.signal])
  const microphones = new Map<string, Microphone>()
  await recogniser.use(limit, async (client) => {
    const open = (name: string): Microphone | undefined => {
      if (microphones.size >= maxMicrophones) return undefined
      const elapsedMs = performance.now() - startedAt
      const microphone = createMicrophone(client, {
        ...options,
        sentences,
        elapsedMs,
        signal: limit,
      })
      microphone.ended.catch((error) => failed.abort(error))
      microphones.set(name, microphone)
      return microphone
    }
    await hear((pcm, name) => {
      if (!limit.aborted) (microphones.get(name) ?? open(name))?.write(pcm)
    }, limit)
    for (const { end } of microphones.values()) end()
    await Promise.all([...microphones.values()].map(({ ended }) => ended))
  })
}

interface Microphone {
  write(pcm: Buffer): void
  end(): void
  /** Resolves when all has been recognised. */
  ended: Promise<void>
}

interface MicrophoneOptions extends CommandListenerOptions {
  sentences: CommandSentences
  /** The sound has played for this long. */
  elapsedMs: number
}

/** Recognises what one microphone records, without the sound. */
function createMicrophone(client: Client, options: MicrophoneOptions): Microphone {
  const { sentences, elapsedMs, recogniser, sound, signal } = options
  const recording = createEchoFreeStream(sound, elapsedMs, signal)
  const stream = client.transcribeStream(
    {
      sentences: Object.values(sentences).flat(),
      language: recogniser.language,
      sampleRateHertz,
      endOfTurn: { silenceMs, confidentSilenceMs: silenceMs },
    },
    { signal },
  )
  return {
    write(pcm) {
      const rest = recording.take(pcm)
      if (rest.length > 0) stream.write(rest).catch(() => {})
    },
    end: () => stream.end(),
    ended: readCommands(stream, recording, options),
  }
}

async function readCommands(
  stream: AsyncIterable<TranscriptionEvent>,
  recording: EchoFreeStream,
  { sentences, text, onHeard }: MicrophoneOptions,
): Promise<void> {
  const turn = { start: 0, end: 0 }
  for await (const event of stream) {
    if (event.type === 'speechStarted') turn.start = (event.startMs / 1000) * sampleRateHertz
    // The recogniser needs some time, in which only the sound is heard.
    if (event.type === 'speechStopped')
      turn.end = Math.min(recording.samples, turn.start + maxCommandSamples)
    if (event.type !== 'final') continue
    const said = event.sentenceMatch?.sentence ?? event.text
    const certain = event.sentenceMatch ? certainSentence(event.text, event.sentenceMatch) : said
    const command = certain === undefined ? undefined : findCommand(sentences, certain)
    // What is no command is often a rest of the sound.
    const mayBeOwn = !command || sentences[command].some((one) => containsWords(text, one))
    if (said && recording.isVoice(turn, mayBeOwn)) onHeard(said, command)
  }
}
