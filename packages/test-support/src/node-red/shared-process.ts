import { afterAll, test } from 'vitest'
import { type NodeRedProcess, startNodeRed } from './process.ts'

/** One Node-RED for all test files of a worker, because its start takes longer than most tests. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern
const workerTest = test.extend('running', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const nodeRed = await startNodeRed([])
  onCleanup(() => nodeRed.close())
  return nodeRed
})

/**
 * Loads a flow for the tests of a file into the Node-RED that this worker already runs, and unloads it afterwards.
 * Cloned voices and the global context outlive the flow: tests that change these start a Node-RED of their own.
 */
export function useSharedNodeRed(
  makeFlow: (baseUrl: string) => object[] | Promise<object[]>,
): NodeRedProcess {
  const nodeRed = {} as NodeRedProcess
  workerTest.beforeAll(async ({ running }) => {
    Object.assign(nodeRed, running)
    await running.deploy(await makeFlow(running.baseUrl))
  })
  afterAll(() => nodeRed.unload?.())
  return nodeRed
}
