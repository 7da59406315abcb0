import { TestRunner, vi } from 'vitest'

const { waitFor, waitUntil } = vi

/** In hooks. */
const defaultTimeoutMs = 60_000

/**
 * The default of Vitest is a second, which a busy machine can need for anything. A test waits almost as long as it may take,
 * so that the error says what it was waiting for. See `expect.poll` in vitest.config.ts.
 */
function patience() {
  const timeout = 0.75 * (TestRunner.getCurrentTest()?.timeout ?? defaultTimeoutMs)
  return { timeout, interval: 20 }
}

vi.waitFor = (callback, options = patience()) => waitFor(callback, options)
vi.waitUntil = (callback, options = patience()) => waitUntil(callback, options)
