import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
// What the tests themselves print is printed by processes of this one.
import './record-output.ts'
import { sources } from './run-records.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether everything runs, and so something of every source must be there in the end. */
    isWholeRun: boolean
  }
}

/** Gives a run a folder for what `keep` is told to keep, and takes it away when all is done. */
export default function setup({ provide, vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-kept-'))
  for (const source of sources) mkdirSync(join(folder, source))
  process.env['PARLANDO_KEPT'] = folder
  const { filenamePattern } = vitest as unknown as { filenamePattern?: string[] }
  provide('isWholeRun', !filenamePattern && vitest.config.project.length === 0)
  return () => rmSync(folder, { recursive: true })
}
