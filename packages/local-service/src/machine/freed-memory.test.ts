import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { returnFreedMemory } from './freed-memory.ts'

const pieceBytes = 100_000
const pieces = 800

it.runIf(process.platform === 'linux')('returnFreedMemory makes a process smaller', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const kept: Buffer[] = []
  let others: Buffer[] = []
  for (let piece = 0; piece < pieces; piece++) {
    others.push(Buffer.allocUnsafeSlow(pieceBytes).fill(1))
    // What is between pieces that are freed keeps the allocator from returning them by itself.
    if (piece % 20 === 19) kept.push(others.pop()!)
  }
  others = []
  collectGarbage()
  const before = process.memoryUsage.rss()
  returnFreedMemory()
  const returned = before - process.memoryUsage.rss()
  expect(kept).toHaveLength(pieces / 20)
  expect(returned).toBeGreaterThan((pieces * pieceBytes) / 4)
})
