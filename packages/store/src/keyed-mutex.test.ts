import { expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

it('the tasks of a key run one after the other, also after one has failed, and no other key waits for them', async () => {
  const run = createKeyedMutex()
  const events: string[] = []
  const task = (name: string) => async () => {
    events.push(`${name} begins`)
    await Promise.resolve()
    events.push(`${name} ends`)
  }
  let fail = (_error: Error) => {}
  const failing = run('a', () => new Promise<void>((_, reject) => (fail = reject)))
  const waiting = [run('a', task('first')), run('a', task('second'))]
  await run('b', task('other'))
  expect(events.splice(0)).toEqual(['other begins', 'other ends'])
  fail(new Error('failed'))
  await expect(failing).rejects.toThrow('failed')
  await Promise.all(waiting)
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})
