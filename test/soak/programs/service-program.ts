import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { makeVoiceSample } from '@parlando/test-support/audio/speak'
import { type Program, startProgram } from './program.ts'

const path = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

export interface ServiceOptions {
  role: string
  /** Of the soak. The service has a subfolder for its data. */
  folder: string
  port: number
  /** The address of a store that it shares with other services. Default: none. */
  storeUrl?: string | undefined
}

/** Starts a `parlando-local`. */
export function startService(options: ServiceOptions): Promise<Program> {
  const { role, folder, port, storeUrl } = options
  const command = [
    ...[path, '--port', `${port}`, '--data-folder', join(folder, role)],
    ...(storeUrl ? ['--store', storeUrl] : []),
  ]
  // The setting of the systemd unit and the Dockerfile.
  const environment = { MALLOC_ARENA_MAX: '2' }
  return startProgram({ role, folder, command, environment, readyTexts: ['Speaking at'] })
}

/** Records speech as the sample of a clone. @returns the path of the recording. */
export async function recordVoice(baseUrl: string, folder: string): Promise<string> {
  const client = createClient({ baseUrl })
  const path = join(folder, 'guest.wav')
  await writeFile(path, await makeVoiceSample(client))
  await client.close()
  return path
}
