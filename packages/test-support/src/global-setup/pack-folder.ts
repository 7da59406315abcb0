import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
// For the type of what it provides.
import type {} from '../published/packed-packages.ts'

/** Creates the folder in which the first test file that needs the archives packs them, and deletes it at the end. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-packed-'))
  provide('packFolder', folder)
  return () => rmSync(folder, { recursive: true })
}
