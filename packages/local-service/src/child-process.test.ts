import { execFile, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { startLocalServiceProcess } from './child-process.ts'

const run = promisify(execFile)
const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

async function isUp(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  )
}

describe('startLocalServiceProcess', () => {
  it('starts a service that takes its key alone, and ends it', async () => {
    const service = await startLocalServiceProcess({ apiKey: 'a2V5' })
    const status = async (authorization: string) =>
      (await fetch(`${service.baseUrl}/voices/v1/voices`, { headers: { authorization } })).status
    expect(await status('Basic a2V5')).toBe(200)
    expect(await status('Basic other')).toBe(401)
    await service.close()
    expect(await isUp(service.baseUrl)).toBe(false)
  })

  it('ends with the process that started it, even when that is killed', async () => {
    const starter = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { startLocalServiceProcess } from '@parlando/local-service'
       console.log((await startLocalServiceProcess({ apiKey: 'a2V5' })).baseUrl)`,
    ])
    const baseUrl = await new Promise<string>((resolve) =>
      starter.stdout.once('data', (data) => resolve(String(data).trim())),
    )
    expect(await isUp(baseUrl)).toBe(true)
    starter.kill('SIGKILL')
    await vi.waitFor(async () => expect(await isUp(baseUrl)).toBe(false), 5000)
  })
})

describe('parlando-local', () => {
  it('explains itself', async () => {
    const { stdout } = await run(process.execPath, [cli, '--help'])
    expect(stdout).toContain('--api-key')
  })

  it.each([
    [['--port', 'abc'], '--port: abc is not a port'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('refuses %j in a sentence', async (args, message) => {
    await expect(run(process.execPath, [cli, ...args])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^${message}[^\\n]*\\n$`)),
    })
  })

  it('says where it speaks, and ends on Ctrl+C', async () => {
    const service = spawn(process.execPath, [cli, '--port', '0'])
    const said = await new Promise<string>((resolve) =>
      service.stdout.once('data', (data) => resolve(String(data))),
    )
    expect(said).toMatch(/^Speaking at http:\/\/127\.0\.0\.1:\d+\n$/)
    const ended = new Promise((resolve) => service.once('exit', resolve))
    service.kill('SIGINT')
    expect(await ended).toBe(0)
  })
})
