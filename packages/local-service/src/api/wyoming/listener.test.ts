import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it, onTestFinished } from 'vitest'
import { createEncoderPool } from '../../encoding/encoder-pool.ts'
import { createConnection } from '../../wyoming/connection.ts'
import { createListener } from './listener.ts'

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

it('a listener has no work after a sound whose format it rejects', async () => {
  const service = {
    engines: new Map([['flite', app.flite]]),
    recognisers: new Map([['fake', createFakeRecogniser()]]),
    encoders: createEncoderPool(),
    catalogue: app.catalogue,
    onFailure() {},
  }
  const listener = createListener(await openConnection(), service, async () => {})
  onTestFinished(() => listener.close())
  await listener.start({ rate: 48_000, width: 2, channels: 1 })
  expect(listener.isBusy).toBe(true)
  await expect(listener.start({ rate: 48_000, width: 4, channels: 1 })).rejects.toThrow('16 bits')
  expect(listener.isBusy).toBe(false)
})
