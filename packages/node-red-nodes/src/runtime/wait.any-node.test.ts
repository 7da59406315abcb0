import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withinRunningTime, withinTime } from './wait.ts'

const limitMs = 20

it('what arrived in time is not too late because Node-RED was busy', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[there]] = (await Promise.all([once(server, 'connection'), once(here, 'connect')])) as [
    [Socket],
    unknown,
  ]
  onTestFinished(() => {
    for (const socket of [here, there]) socket.destroy()
    server.close()
  })
  const late = vi.fn()
  const line = withinTime(limitMs, once(here, 'data'), late)
  there.write('x')
  holdEventLoop(3 * limitMs)
  expect(String(await line)).toBe('x')
  expect(late).not.toHaveBeenCalled()
})

it('what this process does itself is not too late because its machine was busy again and again', async () => {
  const longLimitMs = 400
  const work = async () => {
    for (let turn = 0; turn < 3; turn++) {
      holdEventLoop(longLimitMs)
      await nextTurn()
    }
    return 'done'
  }
  expect(await withinRunningTime(longLimitMs, work(), vi.fn())).toBe('done')
})

it.each([
  ['that passes', withinTime],
  ['in which this process runs', withinRunningTime],
])('what takes longer is too late by the time %s', async (_time, within) => {
  const never = new Promise(() => {})
  await expect(within(limitMs, never, () => new Error('late'))).rejects.toThrow('late')
})
