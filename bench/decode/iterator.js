import { goal, guard } from '../shared/report.js'
import { geometricMean } from '../shared/statistics.js'
import { createBody, readsOf } from './body.js'
import { measureCpu, toRow } from './measure-cpu.js'
import { iterateStream, pushFromStream } from './ours.js'

const audioBytes = 12 * 1024 * 1024

/** Measures what `for await` costs compared with the callback, both reading the same kind of stream. */
export async function measureIterator() {
  const rows = []
  const ratios = []
  for (const chunkBytes of [1, 4, 16, 64].map((kibibytes) => kibibytes * 1024)) {
    const body = createBody({ chunkBytes, audioBytes })
    for (const readBytes of [16 * 1024, 64 * 1024]) {
      const cell = await measureCpu([pushFromStream, iterateStream], readsOf(body, readBytes))
      rows.push(toRow('CPU ns per KiB of audio', cell, { chunkBytes, readBytes }))
      ratios.push(cell.ratio(iterateStream.name, pushFromStream.name))
    }
  }
  const name = 'async iterator, times the CPU of the callback'
  return {
    rows,
    goals: [
      goal(`${name}, geometric mean`, geometricMean(ratios), 1.5),
      guard(`${name}, worst cell`, Math.max(...ratios), 2.1),
    ],
  }
}
