import { setTimeout as delay } from 'node:timers/promises'
import { connectDevice } from './connection.ts'
import type { DeviceService } from './device-service.ts'

/**
 * Keeps the process on this device running until it installs no model any more. The user may close the editor during a
 * download, and the flow may have no node that uses the service.
 */
export async function keepWhileInstalling(
  device: DeviceService,
  intervalMs = 2_000,
): Promise<void> {
  const connection = connectDevice(device, {}, () => {})
  try {
    const client = await connection.client()
    for (;;) {
      const { models } = await client.listLocalModels()
      const isInstalling = models.some(
        ({ installation }) => installation && installation.state !== 'failed',
      )
      if (!isInstalling) return
      await delay(intervalMs, undefined, { ref: false })
    }
  } catch {
    // The process has exited, and the installation with it. The dialog reports that.
  } finally {
    await connection.close()
  }
}
