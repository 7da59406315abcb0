import { tone } from '@parlando/test-support/audio/computed-sounds'
import { useSpeakerPage } from '@parlando/test-support/speakers/use-speaker-page'
import { describe, expect, it, vi } from 'vitest'

describe('the microphones of the browsers that have opened a page', () => {
  const { driver, openSocket } = useSpeakerPage()
  /** Speech of this level in a quiet room: half a second of each. */
  const speechAt = (amplitude: number) => {
    const quiet = tone({ hertz: 200, seconds: 0.5, sampleRateHertz: 16_000, amplitude: 0.0005 })
    const loud = tone({ hertz: 300, seconds: 0.5, sampleRateHertz: 16_000, amplitude })
    return Buffer.concat([quiet, loud])
  }
  const packetsOf = (pcm: Buffer) =>
    Array.from({ length: pcm.length / 640 }, (_, at) => pcm.subarray(640 * at, 640 * (at + 1)))

  it('are opened while a flow listens, which goes on with the one that hears best', async () => {
    const [near, far] = [await openSocket('near'), await openSocket('far')]
    const ending = new AbortController()
    const heard: Buffer[] = []
    const listened = driver().questionMicrophone!.listen({
      signal: ending.signal,
      onPcm: (pcm) => heard.push(pcm),
    })
    const open = { type: 'microphone', use: 'question', isOpen: true }
    const closed = { type: 'microphone', use: 'question', isOpen: false }
    await vi.waitFor(() => expect([near.messages, far.messages]).toEqual([[open], [open]]))
    for (const [at, packet] of packetsOf(speechAt(0.5)).entries()) {
      far.send(packetsOf(speechAt(0.05))[at]!)
      near.send(packet)
    }
    await vi.waitFor(() => expect(far.messages).toEqual([open, closed]))
    expect(near.messages).toEqual([open])
    const before = Buffer.concat(heard).length
    far.send(Buffer.alloc(640))
    near.send(Buffer.alloc(640, 1))
    await vi.waitFor(() => expect(Buffer.concat(heard).length).toBe(before + 640))
    ending.abort()
    await listened
    await vi.waitFor(() => expect(near.messages).toEqual([open, closed]))
    for (const browser of [near, far]) browser.close()
  })

  it('are opened again where the one that hears best fails', async () => {
    const [near, far] = [await openSocket('near'), await openSocket('far')]
    const ending = new AbortController()
    const heard: Buffer[] = []
    const { signal } = ending
    const onPcm = (pcm: Buffer) => void heard.push(pcm)
    const listened = driver().questionMicrophone!.listen({ signal, onPcm })
    const open = { type: 'microphone', use: 'question', isOpen: true }
    const closed = { type: 'microphone', use: 'question', isOpen: false }
    for (const packet of packetsOf(speechAt(0.5))) near.send(packet)
    await vi.waitFor(() => expect(far.messages).toEqual([open, closed]))
    near.send('{"type":"microphone-problem","problem":"noMicrophone"}')
    await vi.waitFor(() => expect(far.messages).toEqual([open, closed, open]))
    const answer = Buffer.alloc(640, 1)
    far.send(answer)
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(answer))
    expect(near.messages).toEqual([open])
    ending.abort()
    await listened
    for (const browser of [near, far]) browser.close()
  })

  it('are reported as missing, once all browsers have said that they cannot record', async () => {
    const [one, other] = [await openSocket('one'), await openSocket('other')]
    const { signal } = new AbortController()
    const listened = driver().questionMicrophone!.listen({ signal, onPcm() {} })
    const failed = expect(listened).rejects.toMatchObject({ code: 'NO_MICROPHONE' })
    for (const browser of [one, other])
      browser.send('{"type":"microphone-problem","problem":"denied"}')
    await failed
    for (const browser of [one, other]) browser.close()
  })
})
