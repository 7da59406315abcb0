import { vi } from 'vitest'

const { waitFor, waitUntil } = vi

/** The default of Vitest is a second, which a busy machine can need for anything. See `expect.poll` in vitest.config.ts. */
const patience = { timeout: 60_000, interval: 20 }

vi.waitFor = (callback, options = patience) => waitFor(callback, options)
vi.waitUntil = (callback, options = patience) => waitUntil(callback, options)
