import { expect, it } from 'vitest'
import { splitCommandLine } from './program-settings.ts'

it.each([
  ['npx -y server', ['npx', '-y', 'server']],
  ['  "C:\\Program Files\\node" a\\b  ', ['C:\\Program Files\\node', 'a\\b']],
  [`--name="two words" 'one "word"'`, ['--name=two words', 'one "word"']],
  [`don't`, [`don't`]],
  ['""', ['']],
  ['', []],
])('a command line is split without a shell: %s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words)
})
