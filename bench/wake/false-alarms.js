import { readdirSync, readFileSync } from 'node:fs'
import { levelOf, makeGuitar, makeMusic, makePads, steadyNoises } from '../../test/turns/noises.ts'
import { makeBabble, rateHertz, readAllPeople } from '../../test/turns/recordings.ts'

const secondsPerHour = 3600
const pieceSamples = rateHertz / 10
/** Music and noise are made once for this long, and repeated: more of a synthetic sound says no more. */
const madeSeconds = 300
const level = 10 ** (-26 / 20)

/** Reading a thousand files takes a minute, so they are read once, and only as many as are needed. */
const people = []
const unread = readAllPeople()

/**
 * Plays sound in which nobody says the phrases: first all recorded people once, then as much music as noise.
 * @returns how many were found, and the processor time of this process and of those that it has started.
 */
export async function measureFalseAlarms({ detector, model, phrases, hours }) {
  const stream = await detector.open({
    modelId: model.modelId,
    phrases,
    sensitivity: 0.5,
    signal: new AbortController().signal,
  })
  const counts = { people: 0, music: 0, noise: 0 }
  let peopleSamples = 0
  let samplesSent = 0
  let cpuSeconds = 0
  for (const { kind, samples } of otherSound(hours)) {
    const before = readCpuSeconds()
    for (let at = 0; at < samples.length; at += pieceSamples) {
      counts[kind] += (await stream.push(samples.subarray(at, at + pieceSamples))).length
    }
    cpuSeconds += readCpuSeconds() - before
    samplesSent += samples.length
    if (kind === 'people') peopleSamples += samples.length
  }
  stream.close()
  const seconds = samplesSent / rateHertz
  const falseAlarms = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    hours: seconds / secondsPerHour,
    hoursOfPeople: peopleSamples / rateHertz / secondsPerHour,
    falseAlarms,
    ofPeople: counts.people,
    ofMusic: counts.music,
    ofNoise: counts.noise,
    corePercent: (100 * cpuSeconds) / seconds / phrases.length,
  }
}

function* otherSound(hours) {
  let remaining = hours * secondsPerHour * rateHertz
  for (const samples of readPeople()) {
    if (remaining <= 0) return
    remaining -= samples.length
    yield { kind: 'people', samples }
  }
  const made = [
    { kind: 'music', make: makeMusic },
    { kind: 'noise', make: makeBabble },
    { kind: 'music', make: makeGuitar },
    { kind: 'noise', make: steadyNoises.pink },
    { kind: 'music', make: makePads },
    { kind: 'noise', make: steadyNoises.hum },
  ].map(({ kind, make }) => ({ kind, samples: toPcm(make(madeSeconds * rateHertz)) }))
  for (let index = 0; remaining > 0; index++) {
    const { kind, samples } = made[index % made.length]
    yield { kind, samples: samples.subarray(0, remaining) }
    remaining -= samples.length
  }
}

function* readPeople() {
  yield* people
  // A loop over the rest would close it when it ends early.
  for (let next = unread.next(); !next.done; next = unread.next()) {
    people.push(toPcm(next.value))
    yield people.at(-1)
  }
}

function toPcm(samples) {
  const gain = level / Math.max(levelOf(samples), 1e-6)
  return Int16Array.from(samples, (sample) => 32_767 * Math.max(-1, Math.min(1, gain * sample)))
}

/** Linux counts processor time in hundredths of a second. */
function readCpuSeconds() {
  const { user, system } = process.cpuUsage()
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readChild(pid) ?? [])
  return (user + system) / 1e6 + children.reduce((sum, ticks) => sum + ticks, 0) / 100
}

/** @returns its processor time, if this process has started it. */
function readChild(pid) {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .split(') ')[1]
      .split(' ')
    return Number(parent) === process.pid ? Number(fields[9]) + Number(fields[10]) : undefined
  } catch {
    return undefined
  }
}
