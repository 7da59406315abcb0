import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import type { NodeAPI } from 'node-red'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeviceService } from './device-service.ts'
import { leaseHosted } from './hosted-lease.ts'
import { ServiceConnection, type ServiceConnectionOptions } from './service-connection.ts'

it('ends the service on this device when an invalid limit prevents a client', async () => {
  const { processes, start } = createFakeDeviceProcesses()
  const { acquire } = createDeviceService({ start, lingerMs: 0 })
  const connection = new ServiceConnection({ acquire, limits: { concurrent: '0' } })
  await expect(connection.client()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await connection.close()
  expect(processes).toHaveLength(1)
  await expect.poll(() => processes[0]!.isRunning).toBe(false)
})

it('closes a client that is created while its connection closes', async () => {
  const server = await startTestServer((response) => void response.end('{"voices":[]}'))
  const RED = { _: (key: string) => key } as unknown as NodeAPI
  const acquire = () => leaseHosted(RED, { baseUrl: server.baseUrl, apiKey: '' })
  const connection = new ServiceConnection({ acquire })
  const client = connection.client()
  await connection.close()
  await expect((await client).listVoices()).rejects.toThrow('the client is closed')
  expect(server.requests).toEqual([])
})

it('starts nothing after it was closed for good', async () => {
  const { connection, acquire } = useConnection()
  await connection.close()
  await expect(connection.use(async () => {})).rejects.toMatchObject({ code: 'NOT_REACHABLE' })
  await connection.open()
  expect(acquire).not.toHaveBeenCalled()
})

const unusedLimitMs = 10 * 60_000

/** A connection to a service that is reached at once. */
function useConnection(options?: Partial<ServiceConnectionOptions>) {
  const released = vi.fn(async () => {})
  const acquire = vi.fn(() => ({
    address: Promise.resolve({ baseUrl: 'http://127.0.0.1:9', apiKey: '' }),
    release: released,
  }))
  const connection = new ServiceConnection({ acquire, ...options })
  return { connection, acquire, released }
}

describe('a connection that closes when it is unused', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('closes ten minutes after its last use, and opens again for the next', async () => {
    const { connection, acquire, released } = useConnection({ unusedLimitMs })
    await connection.use(async () => {})
    await vi.advanceTimersByTimeAsync(unusedLimitMs - 1)
    expect(released).not.toHaveBeenCalled()
    await connection.use(async () => {})
    await vi.advanceTimersByTimeAsync(unusedLimitMs - 1)
    expect(released).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(released).toHaveBeenCalledTimes(1)
    await connection.use(async () => {})
    expect(acquire).toHaveBeenCalledTimes(2)
  })

  it('closes ten minutes after it was opened if nothing uses it', async () => {
    const { connection, acquire, released } = useConnection({ unusedLimitMs })
    await connection.open()
    expect(acquire).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(released).toHaveBeenCalledTimes(1)
  })

  it('stays open while any work continues, however long it takes', async () => {
    const { connection, released } = useConnection({ unusedLimitMs })
    let finish = () => {}
    const work = new Promise<void>((resolve) => {
      finish = resolve
    })
    const long = connection.use(() => work)
    await connection.use(async () => {})
    await vi.advanceTimersByTimeAsync(10 * unusedLimitMs)
    expect(released).not.toHaveBeenCalled()
    finish()
    await long
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(released).toHaveBeenCalledTimes(1)
  })

  it('counts work that fails as use', async () => {
    const { connection, released } = useConnection({ unusedLimitMs })
    const failing = connection.use(() => Promise.reject(new Error('no such voice')))
    await expect(failing).rejects.toThrow('no such voice')
    await vi.advanceTimersByTimeAsync(unusedLimitMs)
    expect(released).toHaveBeenCalledTimes(1)
  })

  it('leaves no timer behind when it is closed', async () => {
    const { connection } = useConnection({ unusedLimitMs })
    await connection.use(async () => {})
    await connection.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stays open without a limit', async () => {
    const { connection, released } = useConnection()
    await connection.use(async () => {})
    await vi.advanceTimersByTimeAsync(10 * unusedLimitMs)
    expect(released).not.toHaveBeenCalled()
  })
})
