import { Bonjour, type ServiceConfig } from 'bonjour-service'
import { onTestFinished } from 'vitest'

/** Makes services known by mDNS on the loopback interface, so that nothing leaves this machine. Ends with the test. */
export async function startMdnsDevice(services: readonly ServiceConfig[]): Promise<void> {
  // Bound to all addresses: what is sent to a group does not arrive at that of an interface.
  const options = { interface: '127.0.0.1', bind: '0.0.0.0' }
  const bonjour = new Bonjour(options as never, (error: Error) => {
    throw error
  })
  onTestFinished(() => new Promise<void>((resolve) => bonjour.destroy(resolve)))
  const published = services.map(
    (service) =>
      new Promise((resolve) => bonjour.publish({ probe: false, ...service }).once('up', resolve)),
  )
  await Promise.all(published)
}
