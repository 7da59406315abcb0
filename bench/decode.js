// The cost of decoding the lines of a speech stream, compared with other clients.
import { parseArgs } from 'node:util'
import { measureAllocation } from './decode/allocation.js'
import { measureCells, measureCompanions, measureGrowth } from './decode/cells.js'
import { measureIterator } from './decode/iterator.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
console.log('Measuring the decoding of lines, about two minutes')
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
