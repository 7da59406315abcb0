import { RED } from '@parlando/test-support/node-red/fake-red'
import type { Node, NodeStatus } from 'node-red'
import { expect, it, vi } from 'vitest'
import { WorkStatus } from './status.ts'

function useStatus(runner = { waiting: 0, running: 1 }) {
  const shown: NodeStatus[] = []
  const node = { status: (status: NodeStatus) => void shown.push(status) } as unknown as Node
  return { status: new WorkStatus(RED, node, runner), runner, last: () => shown.at(-1) }
}

it('shows the number of waiting messages', () => {
  const { status, last } = useStatus({ waiting: 2, running: 1 })
  status.started()
  expect(last()?.text).toMatch(/status\.waiting \{"count":2\}$/)
})

it('shows the last progress, also if it came right after another one', () => {
  vi.useFakeTimers()
  try {
    const { status, last } = useStatus()
    status.started()
    for (const state of ['speaking', 'listening']) status.working(() => state)
    vi.advanceTimersByTime(250)
    expect(last()?.text).toBe('listening')
    status.working(() => 'speaking')
    status.finished(false)
    vi.advanceTimersByTime(1000)
    expect(last()).toMatchObject({ fill: 'green' })
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  ['a warning', 'yellow', (status: WorkStatus) => status.warn('half of it')],
  ['an error', 'red', (status: WorkStatus) => status.failed(new Error('no'))],
])('keeps %s of a message when another one that ran in parallel ends well', (_what, fill, fail) => {
  const { status, runner, last } = useStatus({ waiting: 0, running: 2 })
  status.started()
  fail(status)
  status.started()
  runner.running = 1
  status.finished(false)
  expect(last()).toMatchObject({ fill })
  status.started()
  status.finished(false)
  expect(last()).toMatchObject({ fill: 'green' })
})

it('keeps the error of a part of a sequence until another message begins', () => {
  const { status, last } = useStatus()
  status.started('answer')
  status.failed(new Error('no'))
  status.started('answer')
  status.finished(false)
  expect(last()).toMatchObject({ fill: 'red' })
  status.started('another answer')
  status.finished(false)
  expect(last()).toMatchObject({ fill: 'green' })
})
