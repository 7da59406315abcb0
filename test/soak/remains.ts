import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Events that a witness saw and that must never happen. */
export interface Complaint {
  role: string
  kind: string
  text: string
}

export async function readComplaints(folder: string): Promise<Complaint[]> {
  const lines = (await readFile(join(folder, 'complaints'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Complaint)
}

/** Temporary files and voices, which must all be deleted; the service deletes incomplete ones at its next start. */
export async function findLeftFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((path) => path.startsWith('tmp/') || /voices\/.*\.json$/.test(path))
}
