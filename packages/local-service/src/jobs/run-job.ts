import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { encodings } from '@parlando/core/audio'
import { type StatusCode, statusCodes } from '@parlando/core/wire'
import type { JobFiles } from '@parlando/store'
import type { SpokenWord } from '../engines/engine.ts'
import { isServiceFault, toServiceError } from '../errors/to-service-error.ts'
import { toSpeechResult } from '../speaking/speech-result.ts'
import { createSynthesisRequest, type ServiceContext } from '../speaking/synthesis-request.ts'
import { encodeUtterance } from '../speaking/synthesize.ts'
import { AudioFile } from './audio-file.ts'
import { type ItemResult, type JobItem, type JobProgress, toJson } from './job.ts'
import {
  audioPiece,
  audioPrefix,
  itemsPiece,
  progressPiece,
  resultPiece,
  segmentPiece,
  segmentsPrefix,
  timestampsPiece,
} from './job-pieces.ts'
import { Retries } from './retries.ts'
import { speakSegments } from './speak-segments.ts'
import { watchStore } from './watch-store.ts'

export const maxJobTextCharacters = 100_000

export interface RunJobOptions {
  id: string
  store: JobFiles
  service: ServiceContext
  /** Aborted when the job is paused or cancelled, and when the service stops. What is made until then remains. */
  signal: AbortSignal
  /** Called after each segment; aborts the signal if another service has paused or cancelled the job. */
  check(): Promise<void>
  /** Receives the failures of this service, rather than of a request. */
  onFailure(error: unknown): void
  /** Before each further attempt of all texts together, until the voice speaks again. Default: seconds. */
  retryDelaysMs?: readonly number[]
}

/** The engine or another service may be away for some minutes. */
const usualRetryDelaysMs = [1_000, 5_000, 20_000, 60_000, 120_000]
const retried: readonly StatusCode[] = ['UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'DEADLINE_EXCEEDED']

/**
 * Speaks all texts of a job. Those that an earlier attempt has spoken are not spoken again.
 * @returns what became of each. @throws the signal's reason after an abort, and the errors of the store.
 */
export async function runJob(given: RunJobOptions): Promise<readonly ItemResult[]> {
  const { files: store, watch, hasFailedWith } = watchStore(given.store)
  const check = () => watch(given.check())
  const retries = new Retries(given.retryDelaysMs ?? usualRetryDelaysMs)
  const options = { ...given, store, check, isStoreFailure: hasFailedWith, retries }
  const { id, signal } = options
  const items = await readItems(store, id)
  const results: ItemResult[] = []
  let spokenCharacters = 0
  if (!(await store.readPiece(id, progressPiece))) await writeProgress(options, 0)
  for (const [index, { request }] of items.entries()) {
    await check()
    signal.throwIfAborted()
    const before = spokenCharacters
    const noteProgress = (characters: number) =>
      writeProgress(options, before + Math.min(characters, request.text.length))
    results.push(await runItem({ ...options, index, request, noteProgress }))
    spokenCharacters += request.text.length
    await noteProgress(request.text.length)
  }
  return results
}

function writeProgress({ id, store }: RunJobOptions, spokenCharacters: number): Promise<void> {
  const progress: JobProgress = { spokenCharacters }
  return store.writePiece(id, progressPiece, toJson(progress))
}

export async function readItems(store: JobFiles, id: string): Promise<readonly JobItem[]> {
  const bytes = await store.readPiece(id, itemsPiece)
  if (!bytes) throw new Error('The texts of a job are missing')
  return JSON.parse(bytes.toString('utf8')) as JobItem[]
}

/** @returns nothing if the text was not spoken yet. */
export async function readResult(
  store: JobFiles,
  id: string,
  item: number,
): Promise<ItemResult | undefined> {
  const bytes = await store.readPiece(id, resultPiece(item))
  return bytes && (JSON.parse(bytes.toString('utf8')) as ItemResult)
}

interface RunItemOptions extends RunJobOptions {
  index: number
  request: JobItem['request']
  noteProgress(characters: number): Promise<void>
  isStoreFailure(error: unknown): boolean
  retries: Retries
}

async function runItem(options: RunItemOptions): Promise<ItemResult> {
  const { id, store, index } = options
  const known = await readResult(store, id, index)
  if (known) return known
  const result = await speakWithRetries(options)
  await store.writePiece(id, resultPiece(index), toJson(result))
  await store.removePieces(id, segmentsPrefix(index))
  // A long file is written while it is made.
  if ('error' in result) await store.removePieces(id, audioPrefix(index))
  return result
}

async function speakWithRetries(options: RunItemOptions): Promise<ItemResult> {
  const { signal, onFailure, isStoreFailure, retries } = options
  const { voiceId } = options.request
  for (;;) {
    try {
      const result = await speakItem(options)
      retries.noteSpoken(voiceId)
      return result
    } catch (error) {
      // What fails because the service stops is spoken after its next start.
      signal.throwIfAborted()
      if (isStoreFailure(error)) throw error
      const { code: name, message } = toServiceError(error)
      const delayMs = retried.includes(name) ? retries.next(voiceId) : undefined
      if (delayMs !== undefined) {
        await wait(delayMs, undefined, { signal })
        continue
      }
      if (isServiceFault(error)) onFailure(error)
      return { error: { code: statusCodes[name].number, name, message } }
    }
  }
}

async function speakItem(options: RunItemOptions): Promise<ItemResult> {
  const { id, store, service, index, request, signal, check, noteProgress } = options
  const limit = { maxTextCharacters: maxJobTextCharacters }
  // Listeners without a caller do not share with jobs.
  const synthesis = { ...createSynthesisRequest(request, service, limit), caller: 'long texts' }
  const { layout, encoders, running } = synthesis
  const segments = speakSegments(
    synthesis,
    {
      read: (segment) => store.readPiece(id, segmentPiece(index, segment)),
      async write(segment, bytes, characters) {
        await store.writePiece(id, segmentPiece(index, segment), bytes)
        await noteProgress(characters)
        await check()
      },
    },
    signal,
  )
  const file = new AudioFile(layout, (piece, bytes) =>
    store.writePiece(id, audioPiece(index, piece), bytes),
  )
  const words: SpokenWord[] = []
  const inputRateHertz = running.engine.sampleRateHertz
  for await (const chunk of encodeUtterance(segments, { inputRateHertz, layout, encoders })) {
    // The segments that are kept already would otherwise hold the event loop.
    await setImmediate()
    await file.push(chunk.audio)
    for (const word of chunk.words) words.push(word)
  }
  const pieceBytes = await file.end()
  const spoken = { audio: new Uint8Array(), words, characters: request.text.length }
  const times = toSpeechResult(synthesis, spoken)
  // The service wants words also from a voice of another service, which may report none.
  const hasTimestamps = times.timestampInfo !== undefined && words.length > 0
  if (hasTimestamps) await store.writePiece(id, timestampsPiece(index), toJson(times))
  const { mediaType } = encodings[layout.audioEncoding]
  const { warnings } = synthesis
  return { mediaType, pieceBytes, hasTimestamps, ...(warnings.length > 0 && { warnings }) }
}
