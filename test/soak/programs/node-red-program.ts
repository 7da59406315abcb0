import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Program, startProgram } from './program.ts'

const path = createRequire(import.meta.url).resolve('node-red/red.js')

/** Starts Node-RED 5 with a flow and its own user folder. */
export async function startNodeRed(flow: object[], folder: string, url: string): Promise<Program> {
  const userFolder = join(folder, 'node-red')
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: Number(new URL(url).port),
    flowFile: 'flows.json',
    credentialSecret: 'soak',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false },
  }
  await mkdir(userFolder)
  await writeFile(join(userFolder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}`)
  await writeFile(join(userFolder, 'flows.json'), JSON.stringify(flow))
  const command = [path, '-u', userFolder, '-s', join(userFolder, 'settings.js')]
  const readyTexts = ['Started flows', 'Server now running']
  return startProgram({ role: 'node-red', folder, command, readyTexts })
}
