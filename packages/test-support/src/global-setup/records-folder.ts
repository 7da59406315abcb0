import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
// Test workers are child processes of this process, so this import records their output.
import '../secrets/record-child-output.ts'
import { recordSources } from '../secrets/records.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The sources whose output this run must record: none if only some tests are selected. */
    expectedRecords: readonly string[]
  }
}

/** Creates the folder for the records of a run, and deletes it at the end. */
export default function setup({ provide, vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-records-'))
  for (const source of recordSources) mkdirSync(join(folder, source))
  process.env['PARLANDO_RECORDS'] = folder
  const { filenamePattern } = vitest as unknown as { filenamePattern?: string[] }
  const isSelection = filenamePattern !== undefined || vitest.config.project.length > 0
  const scope = process.env['PARLANDO_TESTS']
  // Only the scopes `slow` and `all` pack archives; `slow` needs no other record.
  const expected = recordSources.filter(
    (source) => scope === 'all' || (source === 'archives') === (scope === 'slow'),
  )
  provide('expectedRecords', isSelection ? [] : expected)
  return () => {
    // Workers still write: a record that they begin meanwhile would keep its folder from being removed.
    const ended = `${folder}-ended`
    renameSync(folder, ended)
    rmSync(ended, { recursive: true })
  }
}
