import { writeWavHeader } from '@parlando/core/audio'
import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it, vi } from 'vitest'
import { fetchSound } from './fetch-sound.ts'

const RED = { _: (key: string) => key }
const second = Buffer.alloc(48_000)

/** Sends audio without an end. */
function startEndlessSound() {
  return startTestServer((response) => {
    response.write(writeWavHeader({ sampleRateHertz: 24_000 }))
    const send = () => response.write(second, (error) => error || setImmediate(send))
    send()
  })
}

it('closes the connection when the sound becomes too long', async () => {
  const server = await startEndlessSound()
  const sound = await fetchSound(server.baseUrl, new AbortController().signal, RED)
  await expect(sound.completed).rejects.toMatchObject({ code: 'OUT_OF_RANGE' })
  await vi.waitFor(() => expect(server.openSockets()).toBe(0), { timeout: 30_000 })
})

it('closes the connection after an abort, and fails the sound with its reason', async () => {
  const server = await startEndlessSound()
  const controller = new AbortController()
  const sound = await fetchSound(server.baseUrl, controller.signal, RED)
  controller.abort(new Error('stopped'))
  await expect(sound.completed).rejects.toThrow('stopped')
  await vi.waitFor(() => expect(server.openSockets()).toBe(0), { timeout: 30_000 })
})
