import type {
  Client,
  FinishedSpeech,
  SpeechChunk,
  SpeechRequest,
  SpeechWarning,
  SynthesisJob,
  TimedWord,
} from '@parlando/core'
import { type AudioChapter, createAudioJoiner, createDurationMeter } from '@parlando/core/audio'
import { ParlandoError } from '@parlando/core/errors'
import { missingTimes, warningsOfSound } from '../../../runtime/speech/speech-warnings.ts'
import type { ServiceCall, Speech } from '../../../runtime/speech-service.ts'
import { type GoingOn, goOnAfterLoss } from './go-on-after-loss.ts'
import type { LongTextPause } from './long-text-pause.ts'
import { charactersOf, type TextPart } from './text-parts.ts'

/** How far a long text is, in characters. */
export interface LongProgress {
  characters: number
  spokenCharacters: number
}

/** @param submit sends the request of a part. */
export type JobSubmission = (
  index: number,
  call: ServiceCall,
  submit: (call: ServiceCall) => Promise<SynthesisJob<FinishedSpeech>>,
) => Promise<SynthesisJob<FinishedSpeech>>

export interface LongSpeechOptions {
  /** The request without its text, which the parts have. */
  request: Omit<SpeechRequest, 'text'>
  parts: readonly TextPart[]
  /** The names of the jobs of the first parts, if they were submitted before. */
  jobNames: readonly string[]
  pause: LongTextPause
  /** Receives the chapters. The end of the last one is known at the end of the speech. */
  chapters: AudioChapter[]
  call: ServiceCall
  use: GoingOn['use']
  /** Submits the job of a part, and keeps its name. */
  submit: JobSubmission
  /** Called when the first audio of a part arrives that the service streams. */
  onStreamed(index: number): void
  /** Called at the end of each part with the length of the audio until there. */
  onSpoken(seconds: number): void
  onProgress(progress: LongProgress): void
}

/** Codes of services that do not speak long texts as jobs, and of an unknown voice, which a stream reports as well. */
const streamedInstead = ['NOT_FOUND', 'UNIMPLEMENTED']

/**
 * Speaks a long text as jobs of the service, one after the other, and delivers the audio of each when it is done, as one file. A
 * service without jobs streams the text.
 * @throws {InputError} if the request is not valid.
 */
export function speakLong(client: Client, options: LongSpeechOptions): Speech {
  const { request, parts, chapters, call } = options
  const first = { ...request, text: parts[0]?.text ?? '' }
  // A stream that nobody reads requests nothing: the client checks the settings, and says which format they mean.
  const { encoding, mediaType, sampleRateHertz } = client.synthesizeStream(first, call)
  const joiner = createAudioJoiner(encoding, sampleRateHertz, { isSplit: true })
  const meter = createDurationMeter(encoding, sampleRateHertz)
  const warnings = new Map<string, SpeechWarning>()
  let lacksTimes = false
  const measured = (audio: Uint8Array): SpeechChunk => {
    meter.push(audio)
    return { audio }
  }

  async function* chunks(): AsyncGenerator<SpeechChunk, void> {
    for await (const piece of pieces(options)) {
      const startSeconds = meter.seconds ?? 0
      const { title } = piece
      if (title !== undefined) chapters.push({ title, startSeconds, endSeconds: startSeconds })
      for await (const bytes of piece.audio) {
        const audio = joiner.push(bytes)
        if (audio.length > 0) yield measured(audio)
      }
      yield measured(piece.isLast ? joiner.end() : joiner.nextPiece())
      const words = piece.words()
      const chapter = chapters.at(-1)
      if (chapter) chapter.endSeconds = meter.seconds ?? chapter.startSeconds
      if (words.length > 0) yield withWords(words, startSeconds)
      else lacksTimes = request.timestampType === 'WORD'
      for (const warning of piece.warnings()) warnings.set(warning.message, warning)
      options.onSpoken(meter.seconds ?? 0)
    }
  }
  return {
    encoding,
    mediaType,
    get sampleRateHertz() {
      return joiner.sampleRateHertz
    },
    usage: undefined,
    get warnings() {
      return [...warningsOfSound([...warnings.values()]), ...(lacksTimes ? [missingTimes] : [])]
    },
    firstAudioMs: undefined,
    [Symbol.asyncIterator]: chunks,
  }
}

function withWords(words: readonly TimedWord[], startSeconds: number): SpeechChunk {
  const shifted = words.map((word) => ({
    ...word,
    startSeconds: word.startSeconds + startSeconds,
    endSeconds: word.endSeconds + startSeconds,
  }))
  return { audio: new Uint8Array(), timestamps: { words: shifted, characters: [] } }
}

interface SpokenPiece {
  title: string | undefined
  isLast: boolean
  audio: AsyncIterable<Uint8Array> | readonly Uint8Array[]
  // Both are known when the audio was read.
  words(): readonly TimedWord[]
  warnings(): readonly SpeechWarning[]
}

async function* pieces(options: LongSpeechOptions): AsyncGenerator<SpokenPiece, void> {
  const { parts, call, pause } = options
  for (const index of parts.keys()) {
    yield await goOnAfterLoss(options, (client, attempt) =>
      speakTextPart(client, { ...options, call: attempt }, index),
    )
    await pause.over(call.signal)
  }
}

/** Resolves when the service has spoken the part and its audio is here, or, if it has no jobs, at once. */
async function speakTextPart(
  client: Client,
  options: LongSpeechOptions,
  index: number,
): Promise<SpokenPiece> {
  const { request, parts, call, pause } = options
  const { text, title } = parts[index]!
  const isLast = index === parts.length - 1
  const job = await findJob(client, options, index)
  if (!job) {
    const onAudio = () => options.onStreamed(index)
    return streamed(client, { ...request, text }, { title, isLast, call, onAudio })
  }
  pause.follow(job)
  const before = charactersOf(parts.slice(0, index))
  const finished = await job.finished({
    ...call,
    onProgress: ({ spokenCharacters = 0 }) =>
      options.onProgress({
        characters: charactersOf(parts),
        spokenCharacters: before + spokenCharacters,
      }),
  })
  const audio: Uint8Array[] = []
  for await (const bytes of finished.audio(call)) audio.push(bytes)
  const words = (await finished.timestamps(call))?.words ?? []
  return { title, isLast, audio, words: () => words, warnings: () => finished.warnings }
}

/** @returns nothing if the service has no jobs. */
async function findJob(
  client: Client,
  { request, parts, jobNames, call, submit }: LongSpeechOptions,
  index: number,
): Promise<SynthesisJob<FinishedSpeech> | undefined> {
  const name = jobNames[index]
  const known = name === undefined ? undefined : client.speechJob(name)
  if (known && (await exists(known, call))) return known
  const part = { ...request, text: parts[index]!.text }
  try {
    return await submit(index, call, (submission) => client.synthesizeLong(part, submission))
  } catch (error) {
    if (ParlandoError.isInstance(error) && streamedInstead.includes(error.code)) return undefined
    throw error
  }
}

/** The service deletes a job some days after its end. */
async function exists(job: SynthesisJob<FinishedSpeech>, call: ServiceCall): Promise<boolean> {
  try {
    await job.progress(call)
    return true
  } catch (error) {
    if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') return false
    throw error
  }
}

interface StreamedPart extends Pick<SpokenPiece, 'title' | 'isLast'> {
  call: ServiceCall
  /** Called when its first audio arrives. */
  onAudio(): void
}

function streamed(
  client: Client,
  request: SpeechRequest,
  { title, isLast, call, onAudio }: StreamedPart,
): SpokenPiece {
  const stream = client.synthesizeStream(request, call)
  const words: TimedWord[] = []
  async function* audio(): AsyncGenerator<Uint8Array, void> {
    let hasBegun = false
    for await (const chunk of stream) {
      if (!hasBegun) onAudio()
      hasBegun = true
      for (const word of chunk.timestamps?.words ?? []) words.push(word)
      yield chunk.audio
    }
  }
  return { title, isLast, audio: audio(), words: () => words, warnings: () => stream.warnings }
}
