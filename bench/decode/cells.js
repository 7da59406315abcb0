import { goal, goalAtLeast, guardAtLeast } from '../shared/report.js'
import { geometricMean } from '../shared/statistics.js'
import { companions, createBody, readsOf } from './body.js'
import { bounds } from './bounds.js'
import { measureCpu, toRow } from './measure-cpu.js'
import { iterateStream, push } from './ours.js'
import { peers } from './peers.js'

const audioBytes = 6 * 1024 * 1024
const chunkSizes = [1, 4, 16, 64].map((kibibytes) => kibibytes * 1024)
const readSizes = [1400, 16 * 1024, 64 * 1024]
const [major] = process.versions.node.split('.').map(Number)
const bound = 'slice + base64'
const boundGuard = major >= 24 ? 0.28 : 0.33

/** Like the peers, it reads from a stream, with `for await`. */
const ours = { ...iterateStream, name: 'parlando' }

/** Lines that contain only audio, for every size of line and of read. */
export async function measureCells() {
  const cells = []
  const rows = []
  for (const chunkBytes of chunkSizes) {
    const body = createBody({ chunkBytes, audioBytes })
    for (const readBytes of readSizes) {
      const cell = await measureCpu([...peers, ours, ...bounds], readsOf(body, readBytes))
      rows.push(toRow('CPU ns per KiB of audio', cell, { chunkBytes, readBytes }))
      cells.push(cell)
    }
  }
  const ratios = (name) => cells.map((cell) => cell.ratio(name, ours.name))
  const mean = (name) => geometricMean(ratios(name))
  const means = Object.fromEntries(cells[0].names.map((name) => [name, mean(name)]))
  return {
    rows: [...rows, { what: 'times the CPU of parlando, geometric mean', ...means }],
    goals: [
      goalAtLeast('decode, times as fast as openai, at least', mean('openai'), 5),
      goalAtLeast(
        'decode, speed compared with openai in the worst cell, at least',
        Math.min(...ratios('openai')),
        3.5,
      ),
      goalAtLeast('decode, times as fast as the LiveKit loop, at least', mean('livekit'), 3),
      guardAtLeast('decode, times as fast as readline, at least', mean('readline'), 1.3),
      guardAtLeast(
        'decode, part of the speed of slice + base64, at least',
        mean(bound),
        boundGuard,
      ),
    ],
  }
}

/** Lines that contain more than audio. */
export async function measureCompanions() {
  const rows = []
  const ratios = []
  for (const [name, companion] of Object.entries(companions)) {
    for (const chunkBytes of [4 * 1024, 16 * 1024]) {
      const readBytes = 16 * 1024
      const reads = readsOf(createBody({ chunkBytes, audioBytes, companion }), readBytes)
      const cell = await measureCpu([...peers, ours], reads)
      rows.push(toRow(`CPU ns per KiB of audio with ${name}`, cell, { chunkBytes, readBytes }))
      ratios.push(cell.ratio('openai', ours.name))
    }
  }
  const name = 'lines with usage or timestamps, times as fast as openai, at least'
  return { rows, goals: [goalAtLeast(name, geometricMean(ratios), 3.5)] }
}

/** The cost must be linear in the bytes: it must not depend on the number of reads or the length of a line. */
export async function measureGrowth() {
  const chunkBytes = 64 * 1024
  const body = createBody({ chunkBytes, audioBytes: 2 * audioBytes })
  const byRead = await measureCpu(
    [1400, 16 * 1024].map((readBytes) => ({
      ...push,
      name: String(readBytes),
      reads: readsOf(body, readBytes),
    })),
  )
  const readBytes = 16 * 1024
  // In base64, these are lines of 1 and 2 MiB.
  const [short, long] = [768 * 1024, 1536 * 1024]
  const byLine = await measureCpu(
    [short, long].map((lineAudioBytes) => {
      const lines = createBody({ chunkBytes: lineAudioBytes, audioBytes: 16 * long })
      return { ...push, name: String(lineAudioBytes), reads: readsOf(lines, readBytes) }
    }),
  )
  const what = 'CPU ns per KiB of audio'
  const toGrowthRow = (cell, name, sizes) => ({
    what,
    ...sizes,
    [push.name]: cell.cpuNsPerKiB(name),
  })
  return {
    rows: [
      ...byRead.names.map((name) =>
        toGrowthRow(byRead, name, { chunkBytes, readBytes: Number(name) }),
      ),
      ...byLine.names.map((name) =>
        toGrowthRow(byLine, name, { chunkBytes: Number(name), readBytes }),
      ),
    ],
    goals: [
      goal(
        '64 KiB lines in 1400 B reads, times the CPU of 16 KiB reads',
        byRead.ratio('1400', String(readBytes)),
        2.5,
      ),
      // Both decode the same amount of audio, so one line of twice the length costs twice the ratio.
      goal(
        'a 2 MiB line, times the CPU of a 1 MiB line',
        2 * byLine.ratio(String(long), String(short)),
        2.3,
      ),
    ],
  }
}
