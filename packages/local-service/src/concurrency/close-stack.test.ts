import { expect, it } from 'vitest'
import { CloseStack, openAll } from './close-stack.ts'

/** Parts that note when they are closed. */
function createParts() {
  const closed: string[] = []
  const part = (name: string, failure?: Error) => ({
    name,
    async close() {
      closed.push(name)
      if (failure) throw failure
    },
  })
  return { closed, part }
}

it('a stack closes its parts in the reverse order of their start, also after a failure, and once', async () => {
  const { closed, part } = createParts()
  const stack = new CloseStack()
  expect(stack.add(part('first')).name).toBe('first')
  stack.add(part('second', new Error('it hangs')))
  stack.add(undefined)
  stack.defer(() => void closed.push('third'))
  await expect(stack.close()).rejects.toThrow('it hangs')
  await stack.close()
  expect(closed).toEqual(['third', 'second', 'first'])
})

it('openAll closes what runs if a part does not open, and nothing otherwise', async () => {
  const { closed, part } = createParts()
  const failing = openAll(async (stack) => {
    stack.add(part('first', new Error('it hangs')))
    throw new Error('the port is in use')
  })
  await expect(failing).rejects.toThrow('the port is in use')
  expect(closed).toEqual(['first'])
  expect(await openAll(async (stack) => stack.add(part('second')).name)).toBe('second')
  expect(closed).toEqual(['first'])
})
