import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { createResampler } from '../../packages/local-service/src/audio/resampler.ts'
import {
  rateHertz,
  readEnglishRecordings,
  readRecordings,
  recordingPrograms,
} from '../../test/turns/recordings.ts'
import { sessionRateHertz } from './user.js'

/** The detector would end the turn in a longer pause. */
const maxPauseMs = 300
const minTurnMs = 1200

/** @returns turns of people, as samples at the rate of a session, with the times at which the speech begins and ends. */
export async function readTurns() {
  const missing = recordingPrograms.find((program) => !findProgram(program))
  if (missing) throw new Error(`This benchmark needs ${missing}. Run .ci/install-packages`)
  const turns = readEnglishRecordings()
    .filter(({ speech }) => longestPauseMs(speech) < maxPauseMs)
    .map(toTurn)
  return (await Promise.all(turns)).filter(({ startMs, endMs }) => endMs - startMs > minTurnMs)
}

/** @returns this many turns of people who speak three languages, with and without pauses of 200 to 900 ms. */
export async function readTurnsWithPauses(count) {
  return Promise.all(readRecordings(1).slice(0, count).map(toTurn))
}

async function toTurn({ samples, speech }) {
  return {
    samples: await toSession(samples),
    startMs: toMs(speech[0].start),
    endMs: toMs(speech.at(-1).end),
  }
}

function longestPauseMs(speech) {
  return Math.max(0, ...speech.slice(1).map(({ start }, index) => toMs(start - speech[index].end)))
}

function toMs(samples) {
  return (1000 * samples) / rateHertz
}

async function toSession(samples) {
  const resampler = await createResampler({
    inputRateHertz: rateHertz,
    outputRateHertz: sessionRateHertz,
  })
  const resampled = [...resampler.push(samples), ...resampler.end()]
  resampler.close()
  return Int16Array.from(resampled, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767)
}
