import { expect, it } from 'vitest'
import { createCallLimiter } from './call-limiter.ts'

it('a full queue rejects calls with a code that no service uses', async () => {
  const limiter = createCallLimiter(1)
  const release = await limiter.acquire(undefined)
  for (let index = 0; index < 10_000; index++) limiter.acquire(undefined)
  await expect(limiter.acquire(undefined)).rejects.toMatchObject({
    name: 'ParlandoError',
    code: 'TOO_MANY_CALLS',
    retryable: true,
  })
  release()
})
