// What it costs to get the audio out of the lines of a stream, beside others who read such lines.
import { parseArgs } from 'node:util'
import { measureAllocation } from './decode/allocation.js'
import { measureCells, measureCompanions, measureGrowth } from './decode/cells.js'
import { measureIterator } from './decode/iterator.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
console.log('Measuring the decoding of lines, some two minutes')
const parts = []
const measurements = [
  measureCells,
  measureCompanions,
  measureGrowth,
  measureIterator,
  measureAllocation,
]
for (const measure of measurements) parts.push(await measure())
report({
  bench: 'decode',
  rows: parts.flatMap(({ rows }) => rows),
  goals: parts.flatMap(({ goals }) => goals),
  jsonPath: values.json,
})
