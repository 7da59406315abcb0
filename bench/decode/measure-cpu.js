import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../shared/statistics.js'

const rounds = 7
const warmingRounds = 2
const bytesPerKiB = 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/**
 * Alternates between the candidates, in another order each round, so that other load on the machine affects all equally.
 * @param candidates each is `{ name, run(reads, onAudio) }`, optionally with its own `reads`.
 * @returns `cpuNsPerKiB(name)` of audio and `ratio(name, otherName)` of CPU time, both medians over the rounds.
 */
export async function measureCpu(candidates, commonReads) {
  const series = candidates.map((candidate) => ({
    ...candidate,
    reads: candidate.reads ?? commonReads,
    cpuNsPerKiB: [],
  }))
  for (const { run, prepare, reads, name } of series) {
    prepare?.(reads)
    if (name !== 'memcpy') await requireExact(name, run, reads)
  }
  for (let round = -warmingRounds; round < rounds; round++) {
    for (let turn = 0; turn < series.length; turn++) {
      const candidate = series[(turn + round + series.length * warmingRounds) % series.length]
      const cpuNsPerKiB = await runOnce(candidate)
      if (round >= 0) candidate.cpuNsPerKiB.push(cpuNsPerKiB)
    }
  }
  const valuesOf = (name) => series.find((candidate) => candidate.name === name).cpuNsPerKiB
  return {
    names: series.map(({ name }) => name),
    cpuNsPerKiB: (name) => median(valuesOf(name)),
    ratio(name, otherName) {
      const others = valuesOf(otherName)
      return median(valuesOf(name).map((value, round) => value / others[round]))
    },
  }
}

/** One row of the report, with a column for the CPU time of each candidate. */
export function toRow(what, cell, sizes) {
  const figures = cell.names.map((name) => [name, Math.round(cell.cpuNsPerKiB(name))])
  return { what, ...sizes, ...Object.fromEntries(figures) }
}

async function runOnce({ name, run, reads }) {
  let audioBytes = 0
  const onAudio = (audio) => {
    audioBytes += audio.length
  }
  // No candidate should pay for the garbage of another one.
  collectGarbage()
  const before = process.cpuUsage()
  await run(reads, onAudio)
  const { user, system } = process.cpuUsage(before)
  if (audioBytes !== reads.audio.length) throw new Error(`${name} lost audio`)
  return ((user + system) * 1000) / (audioBytes / bytesPerKiB)
}

async function requireExact(name, run, reads) {
  const pieces = []
  await run(reads, (audio) => pieces.push(audio))
  if (!Buffer.concat(pieces).equals(reads.audio)) throw new Error(`${name} decodes different audio`)
}
