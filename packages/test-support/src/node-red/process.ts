import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../servers/addresses.ts'
import { subscribeToEditorEvents } from './editor-events.ts'
import { recordAdminResponses, recordFlowFiles } from './record-node-red.ts'
import { nodeRedPackage } from './runtime.ts'

const require = createRequire(import.meta.url)

export interface NodeRedProcess {
  baseUrl: string
  /** The folder to which file nodes write. */
  folder: string
  /** Presses the button of an inject node. */
  inject(id: string): Promise<void>
  /** Replaces the running flows. */
  deploy(flow: object[]): Promise<void>
  /** The texts that a debug node has shown in the sidebar. */
  debugTexts(id: string): string[]
  /** The status texts of a node. */
  statuses(id: string): string[]
  /** Receives what Node-RED sends to every open editor. @returns a function that ends it. */
  subscribe(onMessage: (topic: string, message: unknown) => void): () => void
  /** All output of Node-RED. */
  log(): string
  isRunning(): boolean
  /** How much memory the process has resident. Linux only. */
  residentBytes(): number
  /** Kills the process, as a power failure would, and starts it again in the same folder. */
  killAndRestart(): Promise<void>
  /** Stops the flows, and removes their files and output, so that other tests can use this process. */
  unload(): Promise<void>
  close(): Promise<void>
}

export interface NodeRedProcessOptions {
  /** Default: a free one. */
  port?: number
  /** Default: English, independent of this machine. */
  language?: string
  environment?: NodeJS.ProcessEnv
  settings?: object
}

/** Starts a complete Node-RED process, as a user would, with these flows and a new folder. */
export async function startNodeRed(
  flow: object[],
  options: NodeRedProcessOptions = {},
): Promise<NodeRedProcess> {
  const { language = 'en-US', environment } = options
  const port = options.port ?? (await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const folder = await createUserFolder(flow, { ...options, port, language })
  const start = () => runProgram({ folder, baseUrl, language, environment })
  let running = await start()
  const ownFiles = new Set(await readdir(folder))

  const deploy = async (next: object[]) => {
    const before = running.countStarts()
    await post(`${baseUrl}/flows`, next)
    await running.until(() => running.countStarts() > before)
  }
  return {
    baseUrl,
    folder,
    inject: (id) => post(`${baseUrl}/inject/${id}`, {}),
    deploy,
    debugTexts: (id) => running.editor.debugTexts(id),
    statuses: (id) => running.editor.statuses(id),
    subscribe: (onMessage) => running.editor.subscribe(onMessage),
    log: () => running.log(),
    residentBytes: () => residentBytes(running.child),
    isRunning: () => isRunning(running.child),
    async killAndRestart() {
      running.editor.close()
      running.child.kill('SIGKILL')
      await running.exited
      running = await start()
    },
    async unload() {
      await recordAdminResponses(baseUrl)
      await recordFlowFiles(folder)
      await deploy([])
      const entries = await readdir(folder, { withFileTypes: true })
      const written = entries.filter((entry) => entry.isFile() && !ownFiles.has(entry.name))
      for (const { name } of written) await rm(join(folder, name))
      running.editor.forget()
      running.forgetLog()
    },
    async close() {
      running.editor.close()
      await recordAdminResponses(baseUrl).finally(() => end(running))
      await recordFlowFiles(folder)
      // The service of this device, which ends by itself then, may still write what it has compiled.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** @returns a new folder with these flows. */
async function createUserFolder(
  flow: object[],
  { port, language, settings }: NodeRedProcessOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-node-red-'))
  const all = {
    uiHost: '127.0.0.1',
    uiPort: port,
    lang: language,
    flowFile: 'flows.json',
    fileWorkingDirectory: folder,
    credentialSecret: 'test',
    telemetry: { enabled: false, updateNotification: false },
    // No form of ours has a code editor, and Node-RED's default one takes a fourth of the processor time of an opened editor.
    editorTheme: { tours: false, codeEditor: { lib: 'ace' } },
    ...settings,
  }
  await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(all)}`)
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow))
  return folder
}

interface Installed {
  folder: string
  baseUrl: string
  language: string
  environment: NodeJS.ProcessEnv | undefined
}

/** Starts the program. Resolves when its flows run, and rejects with its output if it exits before. */
async function runProgram({ folder, baseUrl, language, environment }: Installed) {
  const program = require.resolve(`${nodeRedPackage}/red.js`)
  const programArguments = [program, '-u', folder, '-s', join(folder, 'settings.js')]
  const child = spawn(process.execPath, programArguments, { env: environment })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let log = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (data) => {
      log += data
    })
  }
  const startedFlows = startedFlowsIn(language)
  const until = async (isReached: () => boolean) => {
    while (!isReached()) {
      if (!isRunning(child)) throw new Error(`Node-RED exited:\n${log}`)
      await setTimeout(5)
    }
  }
  try {
    // A flow that starts by itself can run before the test listens.
    await until(() => log.includes(startedFlows) && log.includes(`${baseUrl}/`))
    return {
      child,
      exited,
      editor: await subscribeToEditorEvents(baseUrl),
      log: () => log,
      forgetLog: () => {
        log = ''
      },
      countStarts: () => log.split(startedFlows).length - 1,
      until,
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function residentBytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

async function post(url: string, body: object): Promise<void> {
  // A kept connection may still lead to a process that a test has killed.
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`)
}

/** Ends it as a user does. */
async function end({ child, exited }: { child: ChildProcess; exited: Promise<void> }) {
  child.kill('SIGINT')
  const limit = globalThis.setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(limit)
}

/** The line that Node-RED prints in this language when its flows have started. */
function startedFlowsIn(language: string): string {
  const ofNodeRed = createRequire(require.resolve(nodeRedPackage))
  const runtime = ofNodeRed(`@node-red/runtime/locales/${language}/runtime.json`)
  return runtime.nodes.flows['started-flows']
}
