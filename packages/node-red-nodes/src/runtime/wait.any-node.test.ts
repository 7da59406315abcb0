import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withinTime } from './wait.ts'

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

it('what takes longer is too late', async () => {
  const never = new Promise(() => {})
  await expect(withinTime(limitMs, never, () => new Error('late'))).rejects.toThrow('late')
})
