import { expect, it } from 'vitest'
import { type Consumer, findChunkProblem } from './chunk-problem.ts'

interface Wired extends Consumer {
  next: Wired[]
}

const node = (type: string, next: Wired[] = [], settings: object = {}): Wired => ({
  id: `${type}-${Math.random()}`,
  type,
  next,
  ...settings,
})
const problemOf = (first: Wired) => findChunkProblem([first], ({ next }) => next)?.problem

it.each([
  ['a file that is overwritten', node('file', [], { overwriteFile: 'true' }), 'file'],
  ['a file that grows', node('file', [], { overwriteFile: 'false' }), undefined],
  ['a program', node('exec'), 'exec'],
  [
    'a program behind a change node and a junction',
    node('change', [node('junction', [node('exec')])]),
    'exec',
  ],
  ['a web page', node('http response'), 'response'],
  ['a dashboard', node('ui-audio'), 'player'],
  ['a program behind a join node', node('join', [node('exec')]), undefined],
  ['a debug node', node('debug'), undefined],
])('knows what chunks do to %s', (_what, first, problem) => {
  expect(problemOf(first)).toBe(problem)
})

it('ends in a flow that goes round in a circle', () => {
  const start = node('change')
  start.next.push(node('delay', [start]))
  expect(problemOf(start)).toBeUndefined()
})
