import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalServiceProcess } from '@parlando/local-service/process'

/** Starts a local service with a new folder for the time of a measurement. If this process is killed, the service ends with it. */
export async function withLocalService(measure) {
  const apiKey = randomBytes(24).toString('base64url')
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
  const service = await startLocalServiceProcess({ apiKey, dataFolder })
  try {
    return await measure({ baseUrl: service.baseUrl, apiKey })
  } finally {
    await service.close()
    await rm(dataFolder, { recursive: true })
  }
}
