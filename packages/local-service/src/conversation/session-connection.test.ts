import { expect, it, onTestFinished, vi } from 'vitest'
import { acquireSession, maxSessions, requireFreeSession } from './session-connection.ts'

it('a silent session ends when another one begins, not while its request may still be rejected', () => {
  const makeRoom = vi.fn()
  const silent = { address: '', isBusy: false, lastEventMs: performance.now() - 60_000, makeRoom }
  const releases = Array.from({ length: maxSessions }, () => acquireSession({ ...silent }))
  onTestFinished(() => {
    for (const release of releases) release()
  })
  requireFreeSession()
  expect(makeRoom).not.toHaveBeenCalled()
  releases.push(acquireSession())
  expect(makeRoom).toHaveBeenCalledTimes(1)
})
