import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
// Test workers are child processes of this process: their output is recorded here.
import './record-output.ts'
import { sources } from './run-records.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the run must leave records of every source: false for selected tests. */
    isWholeRun: boolean
  }
}

/** Creates the folder for the records of a run, and deletes it at the end. */
export default function setup({ provide, vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-kept-'))
  for (const source of sources) mkdirSync(join(folder, source))
  process.env['PARLANDO_RECORDS'] = folder
  const { filenamePattern } = vitest as unknown as { filenamePattern?: string[] }
  const isSelection = filenamePattern !== undefined || vitest.config.project.length > 0
  // No test of the scope `node` packs an archive.
  provide('isWholeRun', !isSelection && process.env['PARLANDO_TESTS'] !== 'node')
  return () => rmSync(folder, { recursive: true })
}
