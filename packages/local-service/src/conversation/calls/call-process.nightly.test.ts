import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acceptCall } from './accept-call.ts'
import { createCallProcess } from './call-process.ts'

/** A process may do nothing for ten seconds. */
const limit = { timeout: 60_000 }

/** A package whose calls do what the offer says. */
const packageCode = `
export class OfferError extends Error {}
const forever = () => new Promise(() => {})
export async function acceptCall(offer, { onMessage }) {
  if (offer === 'rejected') throw new OfferError('is malformed')
  if (offer === 'failed') throw new Error('no ports')
  if (offer === 'ends the process') process.exit(1)
  const kept = []
  if (offer === 'never returns') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (offer === 'takes memory') for (;;) kept.push(new Array(1e6).fill({}))
  if (offer === 'takes memory outside the heap') kept.push(Buffer.alloc(600 * 2 ** 20, 1))
  const ending = new AbortController()
  return {
    answer: 'answer to ' + offer, kept,
    opened: Promise.resolve(),
    signal: ending.signal,
    send: async (message) => onMessage(Buffer.from('echo ' + message)),
    sendPacket() {},
    close: async () => ending.abort(),
  }
}`

async function open({ idleLimitMs }: { idleLimitMs?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-calls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const packagePath = join(folder, 'package.mjs')
  await writeFile(packagePath, packageCode)
  const warnings: string[] = []
  const process = createCallProcess({
    findWebRtc: () => packagePath,
    warn: (message) => warnings.push(message),
    idleLimitMs,
  })
  onTestFinished(() => process.close())
  const messages: string[] = []
  const accept = (offer: string) =>
    acceptCall(
      process,
      { offer, isLocal: true },
      { onSound() {}, onMessage: (message) => messages.push(message.toString()) },
    )
  return { accept, process, warnings, messages }
}

describe('the process of the calls', () => {
  it('serves several calls, and passes on their messages', async () => {
    const { accept, messages } = await open()
    const [one, other] = await Promise.all([accept('one'), accept('other')])
    expect([one.answer, other.answer]).toEqual(['answer to one', 'answer to other'])
    expect(runningChildProcesses()).toHaveLength(1)
    await one.send('hello')
    expect(messages).toEqual(['echo hello'])
    await one.close()
    expect(one.signal.aborted).toBe(true)
    expect(other.signal.aborted).toBe(false)
  })

  it.each([
    ['rejected', { code: 'INVALID_ARGUMENT', message: 'sdp: the offer is malformed' }],
    ['failed', { kind: 'unavailable', message: /no ports/ }],
  ])('reports an offer that is %s, and continues', async (offer, error) => {
    const { accept } = await open()
    const other = await accept('one')
    await expect(accept(offer)).rejects.toMatchObject(error)
    expect(other.signal.aborted).toBe(false)
  })

  it.each([
    ['ends the process', 'has ended'],
    ['never returns', 'did not respond for 10 s and was stopped'],
    ['takes memory', 'has ended'],
    ['takes memory outside the heap', /took \d+ MiB of memory and was stopped/],
  ])('starts again after a call that %s', limit, async (offer, warning) => {
    const { accept, warnings } = await open()
    const other = await accept('one')
    const last = await accept(offer).catch((error) => error)
    if (last instanceof Error) {
      expect(last).toMatchObject({ kind: 'unavailable', message: /its process ended/ })
    }
    await expect.poll(() => other.signal.aborted, limit).toBe(true)
    expect(warnings.join()).toMatch(warning)
    await other.send('nobody receives this')
    await other.close()
    expect(await accept('next')).toMatchObject({ answer: 'answer to next' })
  })

  it('ends a while after the last call', async () => {
    const { accept } = await open({ idleLimitMs: 50 })
    const call = await accept('one')
    await call.close()
    await expect.poll(runningChildProcesses).toEqual([])
    await accept('two')
  })

  it('is not started again once it is closed', async () => {
    const { accept, process } = await open()
    const starting = accept('one')
    await process.close()
    await expect(starting).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(accept('two')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(runningChildProcesses()).toEqual([])
  })
})
