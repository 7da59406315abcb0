import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { makeDataFolder, storedVoice } from '@parlando/test-support/local-service/stored-voice'
import { expect, it, onTestFinished } from 'vitest'

const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

/** Starts a service that cannot write to any file, as on a full disk. */
async function startOnFullDisk(dataFolder: string): Promise<string> {
  const limited = 'ulimit -f 0; exec "$0" "$@"'
  const command = [process.execPath, cli, '--port', '0', '--data-folder', dataFolder]
  const child = spawn('sh', ['-c', limited, ...command], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  onTestFinished(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [{ baseUrl }] = await once(child, 'message')
  return baseUrl
}

const isPosix = process.platform !== 'win32'

it.runIf(isPosix)(
  'a service on a full disk keeps running and loses no voice',
  { timeout: 60_000 },
  async () => {
    const dataFolder = makeDataFolder()
    const folder = join(dataFolder, 'voices')
    const [name] = readdirSync(folder) as [string]
    const content = readFileSync(join(folder, name), 'utf8')
    const client = createClient({ baseUrl: await startOnFullDisk(dataFolder) })
    onTestFinished(() => client.close())
    const { voiceId } = storedVoice

    await expect(client.updateVoice({ voiceId, displayName: 'Oma' })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      retryable: false,
      message: /cannot change its voices: the file would exceed a size limit/,
    })
    expect(await client.getVoice(voiceId)).toEqual(storedVoice)
    expect(readdirSync(folder)).toEqual([name])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
    const { audio } = await client.synthesize({
      text: 'Still here.',
      voiceId,
      modelId: 'svc-tts-2',
    })
    expect(audio.length).toBeGreaterThan(5000)
    await client.deleteVoice(voiceId)
    expect(readdirSync(folder)).toEqual([])
  },
)
