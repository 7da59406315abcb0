import type { Node, NodeAPI } from 'node-red'
import { expect, it, vi } from 'vitest'
import { findService, leaveThisDevice, provideThisDevice } from './find-service.ts'
import type { OpenService, ProblemReport } from './speech-service.ts'

const makeNode = () => ({ warn: vi.fn(), error: vi.fn() }) as unknown as Node

function useThisDevice() {
  const opened: { report: ProblemReport; close: () => Promise<void> }[] = []
  provideThisDevice((report) => {
    const close = vi.fn(async () => {})
    opened.push({ report, close })
    return { close } as unknown as OpenService
  })
  const serve = (node: Node) => findService({} as NodeAPI, node, '')
  return { opened, serve, leave: leaveThisDevice }
}

it('opens one service for all nodes, closes it after the last, and opens another for the next', async () => {
  const { opened, serve, leave } = useThisDevice()
  const [first, second] = [makeNode(), makeNode()]
  expect(serve(first)).toBe(serve(second))
  expect(serve(first)).toBe(serve(second))
  await leave(makeNode())
  await leave(first)
  await leave(first)
  expect(opened[0]!.close).not.toHaveBeenCalled()
  await leave(second)
  expect(opened[0]!.close).toHaveBeenCalledTimes(1)
  serve(first)
  expect(opened).toHaveLength(2)
})

it('reports a problem at the first node', async () => {
  const { opened, serve, leave } = useThisDevice()
  const [first, second] = [makeNode(), makeNode()]
  serve(first)
  serve(second)
  await leave(first)
  opened[0]!.report.warn('it stopped')
  opened[0]!.report.error('it did not start')
  expect(first.warn).not.toHaveBeenCalled()
  expect(second.warn).toHaveBeenCalledWith('it stopped')
  expect(second.error).toHaveBeenCalledWith('it did not start')
})
