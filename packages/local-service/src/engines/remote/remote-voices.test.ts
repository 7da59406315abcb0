import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRemoteVoices } from './remote-voices.ts'

const subject = 'The server'

describe('the voices of a server', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A server that fails while `isDown`. */
  const open = async (isDown = false) => {
    const server = { isDown, reads: 0 }
    const warnings: string[] = []
    const voices = createRemoteVoices({
      subject,
      warn: (problem) => warnings.push(problem),
      async read() {
        server.reads += 1
        if (server.isDown) throw new Error('The server cannot be reached (ECONNREFUSED)')
        return ['Ada']
      },
    })
    await voices.refresh()
    return { server, warnings, voices }
  }

  it('are listed again when they are requested after a minute', async () => {
    const { server, voices } = await open()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(voices.list()).toEqual(['Ada'])
    expect(server.reads).toBe(1)
    await vi.advanceTimersByTimeAsync(2_000)
    voices.list()
    expect(server.reads).toBe(2)
  })

  it('are kept when the server fails, and requests fail at once with the reason', async () => {
    const { server, voices, warnings } = await open()
    voices.throwIfDown()
    server.isDown = true
    await voices.refresh()
    expect(voices.list()).toEqual(['Ada'])
    expect(voices.problem).toBe('The server cannot be reached (ECONNREFUSED)')
    expect(() => voices.throwIfDown()).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        message: 'The server cannot be reached (ECONNREFUSED). The service tries again by itself',
        response: expect.objectContaining({ code: 'UNAVAILABLE', httpStatus: 503 }),
      }),
    )
    expect(warnings).toEqual(['The server cannot be reached (ECONNREFUSED)'])
    voices.close()
  })

  it('come back by themselves, after delays that grow up to a minute', async () => {
    const { server, voices, warnings } = await open(true)
    expect(voices.list()).toEqual([])
    const readsAfter: number[] = []
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      readsAfter.push(server.reads)
    }
    expect(readsAfter).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(warnings.length).toBe(1)
    server.isDown = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(voices.list()).toEqual(['Ada'])
    expect(voices.problem).toBeUndefined()
    voices.throwIfDown()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(server.reads).toBe(10)
  })

  it('are read once at a time', async () => {
    const { server, voices } = await open()
    await Promise.all([voices.refresh(), voices.refresh()])
    expect(server.reads).toBe(2)
  })

  it('are not read any more after the end', async () => {
    const { server, voices } = await open(true)
    voices.close()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(server.reads).toBe(1)
  })

  it('fail with a time limit when the server does not respond', async () => {
    const read = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const voices = createRemoteVoices({ subject, read, warn: () => {} })
    const refreshed = voices.refresh()
    await vi.advanceTimersByTimeAsync(5000)
    await refreshed
    expect(voices.problem).toBe('The server did not list its voices within 5 s')
    voices.close()
  })
})
