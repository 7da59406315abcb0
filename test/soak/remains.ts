import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a witness saw that should never happen. */
export interface Complaint {
  role: string
  kind: string
  text: string
}

export async function readComplaints(folder: string): Promise<Complaint[]> {
  const lines = (await readFile(join(folder, 'complaints'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Complaint)
}

/** What is temporary, and voices, all of which have been deleted; half written ones go when the service starts again. */
export async function findLeftFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((path) => path.startsWith('tmp/') || /voices\/.*\.json$/.test(path))
}
