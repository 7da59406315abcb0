import { once } from 'node:events'
import { connect } from 'node:net'
import { watchListeningServer } from '@parlando/test-support/watch/listening-server'
import { Bonjour, type Service } from 'bonjour-service'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { startLocalService } from '../../service.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import type { AppContext } from '../app/endpoint.ts'
import type { AnnouncedServer } from './announce-server.ts'
import { openWyomingServer } from './wyoming-server.ts'

it('a server that cannot be made known closes its port and its connections', async () => {
  const findServer = watchListeningServer()
  const service: AppContext = {
    engines: new Map(),
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList: createVoiceList(),
    onFailure: () => {},
  }
  let closed: Promise<unknown> | undefined
  const announce = async ({ host, port }: AnnouncedServer) => {
    const client = connect({ host, port }).on('error', () => {})
    closed = new Promise((resolve) => client.once('close', resolve))
    await vi.waitFor(findServer, 20_000)
    throw new Error('there is no network')
  }
  const options = { host: '127.0.0.1', port: 0, isAnnounced: true }
  await expect(openWyomingServer(options, service, announce)).rejects.toThrow('no network')
  expect(findServer().listening).toBe(false)
  await closed
})

it('a service is found by mDNS while it runs, if it should be', async () => {
  // On the loopback interface, so that nothing leaves this machine.
  const bonjour = new Bonjour({ interface: '127.0.0.1', bind: '0.0.0.0' } as never)
  onTestFinished(() => new Promise<void>((resolve) => bonjour.destroy(resolve)))
  const service = await startLocalService({
    warmUp: false,
    port: 0,
    wyomingPort: 0,
    wyomingHost: '127.0.0.1',
    wyomingAnnounce: true,
  })
  onTestFinished(() => service.close())
  const port = Number(new URL(service.wyomingUrl!).port)
  const browser = bonjour.find({ type: 'wyoming' })
  const isOwn = (found: Service) => found.port === port
  const follow = async (event: 'up' | 'down') => {
    for (;;) {
      const [found] = (await once(browser, event)) as [Service]
      if (isOwn(found)) return found
    }
  }
  const found = await follow('up')
  expect(found.name).toMatch(/^Parlando on /)
  const gone = follow('down')
  await service.close()
  await gone
})
