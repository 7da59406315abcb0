import type { JobStoreTotals, JobTotals } from '@parlando/store'
import { BusyError } from '../errors/service-error.ts'
import { readLayout } from '../speaking/request-fields.ts'
import { readScript } from '../text/read-script.ts'
import type { JobItem } from './job.ts'

/** The limit of jobs that have not ended. */
const maxUnfinished = 2_000
/** What one caller may have of both. */
const shareOfCaller = 0.5
/** The pace of slow speech at the usual rate. */
const charactersPerSecond = 12
const fullRetrySeconds = 60
/** The codes of a disk, also one that gives each user a part, and of Redis. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'STORE_FULL']

/** @throws {BusyError} if all jobs, or those of the caller, would take too much. */
export function rejectWhenFull(
  { all, ofOwner, maxBytes }: JobStoreTotals,
  addedBytes: number,
): void {
  const findProblem = ({ bytes, unfinished }: JobTotals, share: number) => {
    if (bytes + addedBytes > maxBytes * share) {
      return 'take too much space: delete those that are done (DELETE /lro/v1alpha/{name}), or try again later'
    }
    const max = maxUnfinished * share
    return unfinished >= max
      ? `are too many: ${max} have not ended. Try again when some have ended, or delete those that nobody needs (DELETE /lro/v1alpha/{name})`
      : undefined
  }
  const problem = findProblem(all, 1)
  if (problem) throw new BusyError(`The long texts of this service ${problem}`, fullRetrySeconds)
  const ownProblem = findProblem(ofOwner, shareOfCaller)
  if (ownProblem) throw new BusyError(`Your long texts ${ownProblem}`, fullRetrySeconds)
}

/** Whether a store has failed because it has no space. */
export function isStoreFull(error: unknown): boolean {
  return fullCodes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

/** The error of a request for which the store has no space. */
export function fullStoreError(): BusyError {
  const message =
    'The store of the long texts is full: free some space on its disk or in its Redis (--store), delete long texts that are done (DELETE /lro/v1alpha/{name}), or try again later'
  return new BusyError(message, fullRetrySeconds)
}

/** What the audio of a job will take. */
export function estimatedBytes(items: readonly JobItem[]): number {
  return Math.ceil(items.reduce((sum, { request }) => sum + bytesOf(request), 0))
}

function bytesOf(request: JobItem['request']): number {
  const { text, audioConfig } = request
  // Not every voice can speak faster.
  const rate = Math.min(1, audioConfig?.speakingRate ?? 1)
  const seconds = text.length / charactersPerSecond / rate + breakSecondsOf(text)
  return seconds * bytesPerSecond(request)
}

/** @returns 0 for a text that cannot be read: it will not be spoken. */
function breakSecondsOf(text: string): number {
  if (!/<break/i.test(text)) return 0
  try {
    const breaks = readScript(text).map((part) => ('text' in part ? 0 : part.silenceSeconds))
    return breaks.reduce((sum, seconds) => sum + seconds, 0)
  } catch {
    return 0
  }
}

/** @returns 0 for a format that does not exist: the text will not be spoken. */
function bytesPerSecond({ audioConfig }: JobItem['request']): number {
  try {
    const { audioEncoding, bitRate, sampleRateHertz } = readLayout(audioConfig)
    const hasBitRate = audioEncoding === 'MP3' || audioEncoding === 'OGG_OPUS'
    return hasBitRate ? bitRate / 8 : sampleRateHertz * 2
  } catch {
    return 0
  }
}
