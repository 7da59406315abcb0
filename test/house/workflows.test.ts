import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../.github/workflows', import.meta.url))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

it('every action of others is pinned to a commit, with its version as a comment', () => {
  const used = readdirSync(folder).flatMap((file) =>
    [...read(file).matchAll(/uses: (.+)/g)].map(([, what]) => what!),
  )
  const others = used.filter((what) => !what.startsWith('./'))
  expect(others.length).toBeGreaterThan(3)
  for (const what of others) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it('CI runs the merge gate on Node 20, 22 and 24', () => {
  const { tests } = parse(read('ci.yml')).jobs
  expect(tests.strategy.matrix).toEqual({ node: [20, 22, 24] })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how GitHub writes it
  expect(tests.container).toBe('node:${{ matrix.node }}-bookworm')
  expect(tests.steps.at(-1)).toEqual({ run: '.ci/run' })
})

it('a release waits for the tests, which have no write permission', () => {
  const { tests, release } = parse(read('release.yml')).jobs
  expect(tests).toEqual({ uses: './.github/workflows/ci.yml', permissions: { contents: 'read' } })
  expect(release.needs).toBe('tests')
})

it('the nightly run includes every test, the soak and a million fuzz cases', () => {
  const { matrix } = parse(read('nightly.yml')).jobs.tests.strategy
  const commands = matrix.include.map(({ command }: { command: string }) => command)
  expect(commands).toEqual(
    expect.arrayContaining([
      'npm run test:all',
      'npm run soak -- --minutes 60',
      'npm run fuzz -- --cases 1000000 wire',
    ]),
  )
  const { scripts } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'))
  for (const command of commands) expect(scripts).toHaveProperty(command.split(' ')[2])
})
