import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/troubleshooting.md'), 'utf8')

/** All sources that can contain an error message. */
function readSources(): string {
  const names = execFileSync('git', ['ls-files', 'packages/*.ts', 'packages/*.json', 'scripts'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const files = names.split('\n').filter((name) => name !== '' && !name.includes('.test.'))
  return files.map((name) => readFileSync(join(repository, name), 'utf8')).join('\n')
}

it('docs/troubleshooting.md quotes only existing messages', () => {
  // Locale files escape quotation marks with a backslash.
  const sources = readSources().replaceAll('\\"', '"')
  const quoted = [...guide.matchAll(/^> (.*)$/gm)].map(([, sentence]) => sentence!)
  expect(quoted.length).toBeGreaterThan(15)
  // The guide has an ellipsis in place of a value.
  const pieces = quoted
    .flatMap((sentence) => sentence.split('…'))
    .filter((piece) => piece.length > 8)
  expect(pieces.filter((piece) => !sources.includes(piece))).toEqual([])
})
