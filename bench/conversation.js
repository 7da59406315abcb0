// Spoken conversations with recorded people: from the end of a turn to the response, interruptions, parallel sessions, and
// responses that are spoken while a language model writes them.
import { parseArgs } from 'node:util'
import {
  findLimit,
  measureInterruptions,
  measureParallel,
  measurePauses,
  measureTurns,
} from './conversation/measure-turns.js'
import { measureModel } from './conversation/model.js'
import { measureResponses } from './conversation/responses.js'
import { readTurns, readTurnsWithPauses } from './conversation/turns.js'
import { goal, goalAtLeast, report } from './shared/report.js'
import { startService } from './shared/service.js'
import { median, summarize } from './shared/statistics.js'

/** On two cores, speech has no gaps up to this many; the limit of the service must be at least this. */
const sessionsOfTwoCores = 10
const turnsPerSession = 3
const interruptions = 20
const turnsWithPauses = 20
/** When a turn ends: as in the form of converse. */
const quick = { type: 'server_vad', silence_duration_ms: 300 }
const normal = { type: 'server_vad', silence_duration_ms: 500 }
const understanding = { type: 'semantic_vad' }

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const turns = await readTurns()
console.log('Measuring conversations, about fifteen minutes')
const service = await startService()
const { baseUrl } = service
try {
  const measured = await measureTurns(baseUrl, turns)
  const modelMs = await measureModel(baseUrl, measured)
  const interruptionMs = await measureInterruptions(baseUrl, turns.slice(0, interruptions))
  const pauses = await measurePauses(baseUrl, await readTurnsWithPauses(turnsWithPauses), {
    'after 300 ms': quick,
    'after 500 ms': normal,
    'when it sounds complete': understanding,
  })
  const [afterShort, afterNormal, complete] = pauses
  const limit = await findLimit(baseUrl)
  const measureSessions = async (sessions, baseUrls = [baseUrl]) => {
    const options = { sessions, turnsPerSession }
    const { totalMs, gapMs } = await measureParallel(baseUrls, turns, options)
    return { sessions, ...summarize(totalMs), longestGapMs: Math.max(...gapMs) }
  }
  const below = []
  for (const sessions of [1, 5]) below.push(await measureSessions(sessions))
  const atLimit = await measureSessions(limit.sessions)
  // A second service on the same cores takes what the first one would reject.
  const other = await startService()
  const aboveSessions = Math.ceil(1.5 * limit.sessions)
  const above = await measureSessions(aboveSessions, [baseUrl, other.baseUrl]).finally(other.close)
  const { requestMs, connectionMs } = await measureResponses(baseUrl)

  const figures = (name) => measured.map((turn) => turn[name])
  const total = summarize(figures('totalMs'))
  const speechMs = measured.map(({ responseMs }, turn) => responseMs - modelMs[turn])
  report({
    bench: 'conversation',
    rows: [
      { what: 'last sample of speech to first of the response, less the silence', ...total },
      { what: '- end of the turn', ...summarize(figures('detectionMs')) },
      { what: '- recognition (pocketsphinx)', ...summarize(figures('recognitionMs')) },
      { what: '- language model (echo)', ...summarize(modelMs) },
      { what: '- speech (Clara)', ...summarize(speechMs) },
      { what: 'interruption to silence', ...summarize(interruptionMs) },
      ...pauses.map(({ name, interrupted, responseMs }) => ({
        what: `end of speech to response, turn ends ${name}`,
        interrupted: `${interrupted} of ${turnsWithPauses}`,
        ...summarize(responseMs),
      })),
      ...[...below, atLimit, above].map(({ sessions, ...row }) => ({
        what: `${sessions} sessions${sessions > limit.sessions ? ', of two services' : ''}`,
        ...row,
      })),
      { what: 'response to first audio, a request for each sentence', ...summarize(requestMs) },
      { what: 'response to first audio, one connection', ...summarize(connectionMs) },
      { what: `after ${limit.sessions} sessions: ${limit.error.code}, ${limit.error.message}` },
    ],
    goals: [
      goal('ms of the response after the silence, p50', total.p50Ms, 250),
      goal('ms of the response after the silence, p95', total.p95Ms, 450),
      goal('ms from an interruption to silence, p95', summarize(interruptionMs).p95Ms, 300),
      goal(
        `ms of gaps in the speech at the limit, ${limit.sessions} sessions`,
        atLimit.longestGapMs,
        0,
      ),
      goal(
        'interrupted speakers when a turn ends that sounds complete, as a share of those after 300 ms',
        complete.interrupted / afterShort.interrupted,
        0.5,
      ),
      goalAtLeast(
        'ms by which the response begins sooner than after 500 ms, p50',
        median(afterNormal.responseMs) - median(complete.responseMs),
        150,
      ),
      goalAtLeast('parallel sessions of two cores', limit.sessions, sessionsOfTwoCores),
      goal(
        'first audio of one connection, as a multiple of a request for each sentence, p50',
        median(connectionMs) / median(requestMs),
        0.7,
      ),
    ],
    jsonPath: values.json,
  })
} finally {
  await service.close()
}
