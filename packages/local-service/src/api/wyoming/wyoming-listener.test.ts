import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { createConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { WyomingListener } from './wyoming-listener.ts'

const app = useTestApp()

async function openConnection() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as { port: number }).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
    server.close()
  })
  return createConnection(socket)
}

async function openListener(fail: (error: unknown) => Promise<void> = async () => {}) {
  const service = {
    engines: new Map([['flite', app.flite]]),
    recognisers: new Map([['fake', createFakeRecogniser()]]),
    encoders: createEncoderPool(),
    voiceList: app.voiceList,
    onFailure() {},
  }
  const listener = new WyomingListener(await openConnection(), service, fail)
  onTestFinished(() => listener.close())
  return listener
}

it('a listener has no work after a sound whose format it rejects', async () => {
  const listener = await openListener()
  await listener.start({ rate: 48_000, width: 2, channels: 1 })
  expect(listener.isBusy).toBe(true)
  await expect(listener.start({ rate: 48_000, width: 4, channels: 1 })).rejects.toThrow('16 bits')
  expect(listener.isBusy).toBe(false)
})

it('a listener ends a sound that never ends, so that others get the recogniser', async () => {
  const errors: unknown[] = []
  const listener = await openListener(async (error) => void errors.push(error))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await listener.start({ rate: 16_000, width: 2, channels: 1 })
  await listener.write({}, Buffer.alloc(32_000))
  expect(listener.isBusy).toBe(true)
  vi.advanceTimersByTime(31_000)
  expect(errors).toMatchObject([{ code: 'DEADLINE_EXCEEDED' }])
  expect(listener.isBusy).toBe(false)
})
