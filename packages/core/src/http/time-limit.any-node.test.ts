import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { expect, it, onTestFinished } from 'vitest'
import { TimeoutError } from '../errors.ts'
import { TimeLimit } from './time-limit.ts'

const limitMs = 20
const late = () =>
  new TimeoutError('late', { phase: 'next byte', timeoutMs: limitMs, retryable: true })

/** The two ends of a connection. */
async function openConnection(): Promise<{ here: Socket; there: Socket }> {
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
  return { here, there }
}

it('a time limit does not end a wait for bytes that arrived in time, while this process was busy', async () => {
  const { here, there } = await openConnection()
  const limit = new TimeLimit()
  here.on('data', () => limit.renew())
  limit.start(limitMs, late)
  there.write('x')
  holdEventLoop(3 * limitMs)
  await once(here, 'data')
  expect(limit.signal.aborted).toBe(false)
  // Nothing more comes.
  await once(limit.signal, 'abort')
  expect(limit.signal.reason).toBeInstanceOf(TimeoutError)
})

it('a time limit that has ended, or that another wait has replaced, aborts nothing', async () => {
  for (const change of ['end', 'start'] as const) {
    const limit = new TimeLimit()
    limit.start(0, late)
    const other = setTimeout(() => (change === 'end' ? limit.end() : limit.start(60_000, late)), 0)
    onTestFinished(() => clearTimeout(other))
    holdEventLoop(limitMs)
    await new Promise((resolve) => setTimeout(resolve, limitMs))
    expect(limit.signal.aborted).toBe(false)
    limit.end()
  }
})
