import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeDataFolder } from '@parlando/test-support/local-service/stored-voice'
import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ChildServiceOptions, startLocalServiceProcess } from './process.ts'

async function isUp(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  )
}

function canConnect(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}

describe('startLocalServiceProcess', () => {
  it('stops at once, also during speech, and has no option for a limit', async () => {
    // @ts-expect-error: running requests are cut off at once, so there is no limit to set.
    const options: ChildServiceOptions = { apiKey: keys.service, stopLimitMs: 60_000 }
    const service = await startLocalServiceProcess({ ...options, warmUp: false })
    const response = await fetch(`${service.baseUrl}/tts/v1/voice:stream`, {
      method: 'POST',
      headers: { authorization: `Basic ${keys.service}` },
      body: JSON.stringify({ ...speechRequest, text: 'The laundry is done. '.repeat(2000) }),
    })
    const audio = response.text()
    await Promise.all([service.close(), expect(audio).rejects.toThrow('terminated')])
    expect(await isUp(service.baseUrl)).toBe(false)
  })

  it('starts a service that accepts only its key, and stops it', async () => {
    const service = await startLocalServiceProcess({ apiKey: keys.service, warmUp: false })
    const status = async (authorization: string) =>
      (await fetch(`${service.baseUrl}/voices/v1/voices`, { headers: { authorization } })).status
    expect(await status(`Basic ${keys.service}`)).toBe(200)
    expect(await status(`Basic ${keys.wrong}`)).toBe(401)
    await service.close()
    expect(await isUp(service.baseUrl)).toBe(false)
  })

  it('opens and closes a Wyoming server when its parent asks for it, and says why it cannot', async () => {
    const onProblem = vi.fn()
    const options = { apiKey: keys.service, warmUp: false, onProblem }
    const service = await startLocalServiceProcess(options)
    onTestFinished(() => service.close())
    const offered = { host: '127.0.0.1', port: await freePort() }
    const isOpen = () => canConnect(offered)
    service.offerWyoming(offered)
    await expect.poll(isOpen, { timeout: 30_000 }).toBe(true)
    service.offerWyoming()
    await expect.poll(isOpen, { timeout: 30_000 }).toBe(false)
    service.offerWyoming({ ...offered, port: Number(new URL(service.baseUrl).port) })
    const calls = () => onProblem.mock.calls
    await expect.poll(calls, { timeout: 30_000 }).toEqual([[expect.stringContaining('in use')]])
  })

  it('keeps compiled code in the data folder, which only the owner can read', async () => {
    // The tests themselves keep compiled code in another folder.
    vi.stubEnv('NODE_COMPILE_CACHE', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const dataFolder = makeDataFolder()
    await (
      await startLocalServiceProcess({ apiKey: keys.service, dataFolder, warmUp: false })
    ).close()
    const folder = join(dataFolder, 'compiled')
    // Node 20 keeps no compiled code.
    if (!('enableCompileCache' in module)) return expect(existsSync(folder)).toBe(false)
    expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(100)
    expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('removes its listener from the signal when the process has exited', async () => {
    const { signal } = new AbortController()
    const service = await startLocalServiceProcess({ apiKey: keys.service, signal, warmUp: false })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await service.close()
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]))
  })

  it('exits with the process that started it, even if that is killed', async () => {
    const program = `import { startLocalServiceProcess } from '@parlando/local-service/process'
      console.log((await startLocalServiceProcess({ apiKey: process.env.KEY, warmUp: false })).baseUrl)`
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, KEY: keys.service },
    })
    const baseUrl = await new Promise<string>((resolve) =>
      starter.stdout.once('data', (data) => resolve(String(data).trim())),
    )
    expect(await isUp(baseUrl)).toBe(true)
    starter.kill('SIGKILL')
    await vi.waitFor(async () => expect(await isUp(baseUrl)).toBe(false), 60_000)
  })
})
