import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createInbox } from './inbox.ts'

const sound = (characters: number) =>
  ({ type: 'input_audio_buffer.append', audio: 'A'.repeat(characters) }) as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const onOverflow = vi.fn()
  const inbox = createInbox({ onOverflow })
  const messages = inbox.messages[Symbol.asyncIterator]()
  return { inbox, onOverflow, next: async () => (await messages.next()).value }
}

describe('the inbox of a call', () => {
  it('returns sound and messages in order, until the call ends', async () => {
    const { inbox, next } = open()
    inbox.pushSound(sound(4))
    inbox.pushMessage(Buffer.from('{}'))
    expect(await next()).toEqual(sound(4))
    expect(await next()).toEqual(Buffer.from('{}'))
    inbox.end()
    expect(await next()).toBeUndefined()
  })

  it('loses sound while a megabyte waits, and reports further messages', async () => {
    const { inbox, onOverflow, next } = open()
    inbox.pushSound(sound(1024 * 1024))
    inbox.pushSound(sound(4))
    expect(onOverflow).not.toHaveBeenCalled()
    inbox.pushMessage(Buffer.from('{}'))
    expect(onOverflow).toHaveBeenCalledOnce()
    await next()
    inbox.pushSound(sound(8))
    expect(await next()).toEqual(sound(8))
  })

  it('counts empty messages, too', () => {
    const { inbox, onOverflow } = open()
    for (let count = 0; count < 10_000; count++) inbox.pushMessage(Buffer.alloc(0))
    expect(onOverflow).toHaveBeenCalled()
  })

  it('fails when the client has sent nothing for too long', async () => {
    const { inbox, next } = open()
    inbox.limitSilence(10_000)
    vi.advanceTimersByTime(9000)
    inbox.pushSound(sound(4))
    vi.advanceTimersByTime(9000)
    expect(await next()).toEqual(sound(4))
    vi.advanceTimersByTime(1000)
    await expect(next()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('leaves no timer behind', () => {
    const { inbox } = open()
    inbox.limitSilence(10_000)
    inbox.end()
    inbox.pushSound(sound(4))
    expect(vi.getTimerCount()).toBe(0)
  })
})
