import { once } from 'node:events'
import { Bonjour, type Service } from 'bonjour-service'
import { expect, it, onTestFinished } from 'vitest'
import { startLocalService } from '../../service.ts'

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
