import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@parlando/core'
import type { DeviceService } from '../device-service.ts'
import { ServiceConnection } from '../service-connection.ts'

/**
 * Keeps the process on this device running until it installs no model any more. The user may close the editor during a
 * download, and the flow may have no node that uses the service.
 */
export async function keepWhileInstalling(
  device: DeviceService,
  intervalMs = 2_000,
): Promise<void> {
  const connection = new ServiceConnection({ acquire: device.acquire })
  const isInstalling = async (client: Client) => {
    const { models } = await client.listLocalModels()
    return models.some(({ installation }) => installation && installation.state !== 'failed')
  }
  try {
    await connection.use(async (client) => {
      while (await isInstalling(client)) await delay(intervalMs, undefined, { ref: false })
    })
  } catch {
    // The process has exited, and the installation with it. The dialog reports that.
  } finally {
    await connection.close()
  }
}
