import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A warning or an error that no program may cause. */
export interface Incident {
  role: string
  kind: string
  text: string
}

export async function readIncidents(folder: string): Promise<Incident[]> {
  const lines = (await readFile(join(folder, 'incidents'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Incident)
}

/** Finds temporary files and voices. Partial voice files do not count: the service deletes them at its next start. */
export async function findLeftoverFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((path) => path.startsWith('tmp/') || /voices\/.*\.json$/.test(path))
}
