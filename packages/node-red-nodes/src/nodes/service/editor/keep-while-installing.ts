import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@parlando/core'
import type { DeviceService } from '../device-service.ts'
import { ServiceConnection } from '../service-connection.ts'

/** After this many failures in a row, nothing is known of the process. */
const maxFailures = 30

/**
 * Keeps the process on this device running until it installs no model any more. The user may close the editor during a
 * download, and the flow may have no node that uses the service.
 */
export async function keepWhileInstalling(
  device: DeviceService,
  intervalMs = 2_000,
): Promise<void> {
  const connection = new ServiceConnection({ acquire: device.acquire })
  try {
    await connection.use(async (client, lost) => {
      let failures = 0
      while (!lost.aborted && failures < maxFailures) {
        const installs = await isInstalling(client).catch(() => undefined)
        if (installs === false) return
        // A process that unpacks a large model may respond too late.
        failures = installs ? 0 : failures + 1
        await delay(intervalMs, undefined, { ref: false })
      }
    })
  } catch {
    // The process cannot start. The dialog reports that.
  } finally {
    await connection.close()
  }
}

async function isInstalling(client: Client): Promise<boolean> {
  const { models } = await client.listLocalModels()
  return models.some(({ installation }) => installation && installation.state !== 'failed')
}
