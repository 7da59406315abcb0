import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { makeVoiceSample } from '@parlando/test-support/audio/speak'
import { type Program, startProgram } from './program.ts'

const path = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

/** Starts a `parlando-local` with its own data folder. */
export function startService(role: string, folder: string, port: number): Promise<Program> {
  const command = [path, '--port', `${port}`, '--data-folder', join(folder, role)]
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
