import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

it('docs/performance.md describes exactly the existing benchmarks, and has figures of each', () => {
  const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')
  const files = readdirSync(join(repository, 'bench')).filter((name) => name.endsWith('.js'))
  const existing = files.map((name) => name.slice(0, -'.js'.length)).sort()
  const [overview = '', figures = ''] = guide.split('## Figures')
  const namesIn = (text: string, expression: RegExp) =>
    [...text.matchAll(expression)].map(([, name]) => name!).sort()
  expect(namesIn(overview, /^\| `(\w+)` \|/gm)).toEqual(existing)
  expect(namesIn(figures, /^### `(\w+)`$/gm)).toEqual(existing)
})

/** The durations that benchmarks print at their start, in minutes. */
const durations: Readonly<Record<string, number>> = {
  'less than a minute': 1,
  'two minutes': 2,
  'three minutes': 3,
  'four minutes': 4,
  'five minutes': 5,
  'six minutes': 6,
  'fifteen minutes': 15,
  'twenty minutes': 20,
  'half an hour': 30,
}

it('docs/performance.md has the durations that the benchmarks print', () => {
  const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `(\w+)` \| .* \| (\d+) minutes? \| (?:yes|no) \|$/gm)]
  const printed = rows.flatMap(([, name, minutes]) => {
    const source = readFileSync(join(repository, 'bench', `${name}.js`), 'utf8')
    // One with several prints that of a whole run last.
    const words = [
      ...source.matchAll(/less than a minute|about .*?(\w+)'?\}? minutes|half an hour/g),
    ].at(-1)
    if (!words) return []
    const [whole, number] = words
    return [
      [
        name,
        number === undefined ? durations[whole] : durations[`${number} minutes`],
        Number(minutes),
      ],
    ]
  })
  expect(printed.length).toBeGreaterThan(9)
  for (const [name, printedMinutes, minutes] of printed)
    expect(printedMinutes, `${name}`).toBe(minutes)
})
