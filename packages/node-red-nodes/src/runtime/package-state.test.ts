import { expect, it, vi } from 'vitest'
import { packageState, stateOf } from './package-state.ts'

it('all copies of a module share the state with a name', async () => {
  const list = packageState('test: a list', () => ['first'])
  vi.resetModules()
  const other = await import('./package-state.ts')
  expect(other.packageState).not.toBe(packageState)
  expect(other.packageState('test: a list', () => ['other'])).toBe(list)
})

it('each owner has a state of its own', () => {
  const [one, other] = [{}, {}]
  const state = stateOf(one, 'test: a list by owner', () => ['first'])
  expect(stateOf(one, 'test: a list by owner', () => ['again'])).toBe(state)
  expect(stateOf(other, 'test: a list by owner', () => ['second'])).toEqual(['second'])
})
