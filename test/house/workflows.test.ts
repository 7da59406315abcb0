import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../.github/workflows', import.meta.url))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

it('what others wrote is taken by full commit, with the version that is', () => {
  const used = readdirSync(folder).flatMap((file) =>
    [...read(file).matchAll(/uses: (.+)/g)].map(([, what]) => what!),
  )
  const ofOthers = used.filter((what) => !what.startsWith('./'))
  expect(ofOthers.length).toBeGreaterThan(3)
  for (const what of ofOthers)
    expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it('a change is tested on Node 20, 22 and 24, as on any machine', () => {
  const { tests } = parse(read('ci.yml')).jobs
  expect(tests.strategy.matrix).toEqual({ node: [20, 22, 24] })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how GitHub writes it
  expect(tests.container).toBe('node:${{ matrix.node }}-bookworm')
  expect(tests.steps.at(-1)).toEqual({ run: '.ci/run' })
})

it('nothing is released before it is tested, and tests may write nothing', () => {
  const { tests, release } = parse(read('release.yml')).jobs
  expect(tests).toEqual({ uses: './.github/workflows/ci.yml', permissions: { contents: 'read' } })
  expect(release.needs).toBe('tests')
})
