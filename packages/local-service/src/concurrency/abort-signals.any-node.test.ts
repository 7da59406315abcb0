import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { orAborted, withTimeLimit } from './abort-signals.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('a signal is aborted after its time limit, also after a garbage collection', async () => {
  const { signal } = new AbortController()
  const limited = withTimeLimit(50, signal)
  const aborted = vi.fn()
  limited.addEventListener('abort', aborted)
  collectGarbage()
  await vi.waitFor(() => expect(aborted).toHaveBeenCalledOnce())
  expect(limited.reason).toMatchObject({ name: 'TimeoutError' })
})

it('a signal is aborted before that with those that it combines', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const limited = withTimeLimit(60_000, one.signal, other.signal)
  other.abort('over')
  expect(limited.reason).toBe('over')
})

it('orAborted drops the failure of work whose signal is already aborted', async () => {
  const unhandled = vi.fn()
  process.once('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const work = Promise.reject(new Error('too late'))
  await expect(orAborted(work, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await new Promise(setImmediate)
  expect(unhandled).not.toHaveBeenCalled()
})
