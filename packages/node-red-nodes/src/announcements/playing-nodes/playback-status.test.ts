import { RED } from '@parlando/test-support/node-red/fake-red'
import type { Node, NodeStatus } from 'node-red'
import { expect, it, vi } from 'vitest'
import type { PlaybackReport } from '../playback-report.ts'
import { PlaybackStatus } from './playback-status.ts'

it('names the speaker of an alarm that was acknowledged before its end', async () => {
  const shown: NodeStatus[] = []
  const node = { status: (status: NodeStatus) => void shown.push(status) } as unknown as Node
  const status = new PlaybackStatus(RED, node, new Set())
  const report: PlaybackReport = { status: 'said', speakers: [], acknowledged: true }
  status.ended(report, 'Kitchen', false)
  await vi.waitFor(() => expect(shown.at(-1)).toMatchObject({ fill: 'green' }))
  expect(shown.at(-1)!.text).toMatch(/playback\.acknowledged .*"where":"Kitchen"/)
  status.close()
})
