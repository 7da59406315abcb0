import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { saveRecord } from '../secrets/records.ts'

/** Records what the admin API sends to an editor, if Node-RED is still running. */
export async function recordAdminResponses(baseUrl: string): Promise<void> {
  const get = async (path: string) => (await fetch(baseUrl + path)).text()
  const flows = await get('/flows').catch(() => undefined)
  if (flows === undefined) return
  const services = JSON.parse(flows).filter(({ type }: Typed) => type === 'parlando-service')
  const credentials = services.map(({ id }: Typed) => `/credentials/parlando-service/${id}`)
  saveRecord('admin responses', flows)
  for (const path of ['/settings', '/nodes', ...credentials])
    saveRecord('admin responses', await get(path))
}

interface Typed {
  id: string
  type: string
}

/** Records the flows, their backups, the credentials and the settings. */
export async function recordFlowFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((file) => /\.(json|js|backup)$/.test(file))) {
    saveRecord('flow files', await readFile(join(folder, file)))
  }
}
