import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as core from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const documentedUrl = 'http://127.0.0.1:8080'
const guide = readFileSync(join(repository, 'docs/core.md'), 'utf8')

interface Example {
  /** The file, the number of the example and the headings above it. */
  title: string
  code: string
}

/** Reads the ```ts blocks. The first of a file is prepended to each that has no import of its own. */
function readExamples(file: string): Example[] {
  const examples: Example[] = []
  const headings: string[] = []
  const text = readFileSync(join(repository, file), 'utf8')
  for (const [, marks, heading, code] of text.matchAll(/^(#+) (.*)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (marks) headings.splice(marks.length - 1, headings.length, heading!)
    if (!code) continue
    const first = examples[0]
    const isWhole = !first || /^import /m.test(code)
    const title = `${file} ${examples.length + 1}: ${headings.slice(1).join(', ')}`
    examples.push({ title, code: isWhole ? code : `${first.code}\n${code}` })
  }
  return examples
}

const examples = ['docs/core.md', 'README.md'].flatMap(readExamples)

const voice = { voiceId: 'my__voice', displayName: 'My voice' }
/** Serves as a recording: long enough to clone a voice. */
const spoken = {
  text: 'The laundry is done, and the dishes are clean. It is time for a cup of tea.',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 16000 },
}
let wav: Buffer

/** The documented responses of a hosted service to requests that the local service does not support here. */
const hostedResponses: Record<string, () => unknown> = {
  'GET /voices/v1/voices/my__voice': () => voice,
  'PATCH /voices/v1/voices/my__voice': () => voice,
  'DELETE /voices/v1/voices/my__voice': () => ({}),
  'POST /voices/v1/voices/my__voice:publish': () => voice,
  'POST /voices/v1/voices:design': () => ({
    previewVoices: [{ voiceId: voice.voiceId, previewAudio: wav.toString('base64') }],
  }),
  'POST /stt/v1/transcribe': () => ({ transcription: { transcript: spoken.text } }),
}

let folder: string
let service: ChildService
/** Whether this machine has a recogniser. */
let canTranscribe: boolean
let program: ts.Program
beforeAll(async () => {
  // Inside the repository, so that the examples resolve the packages.
  folder = mkdtempSync(join(repository, '.parlando-docs-'))
  service = await startLocalServiceProcess({
    apiKey: '',
    dataFolder: join(folder, 'data'),
    warmUp: false,
  })
  const response = await fetch(`${service.baseUrl}/tts/v1/voice`, {
    method: 'POST',
    body: JSON.stringify(spoken),
  })
  const { audioContent } = (await response.json()) as { audioContent: string }
  wav = Buffer.from(audioContent, 'base64')
  writeFileSync(join(folder, 'my-voice.wav'), wav)
  const listed = await fetch(`${service.baseUrl}/stt/v1/models`)
  const { models } = (await listed.json()) as { models: unknown[] }
  canTranscribe = models.length > 0
  program = createProgram()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service?.close()
})

const unsupported = [404, 501]

/** Starts a proxy of the local service. It sends the hosted response where the local service has none. */
async function startService() {
  const server = await startTestServer(async (response, { method, url }) => {
    const { body } = server.requests.at(-1)!
    const [, model] = /^\/local\/v1\/models\/(\w+):install$/.exec(url ?? '') ?? []
    if (model) return void response.end(JSON.stringify(await describeModel(model)))
    const upstream = await fetch(service.baseUrl + url, {
      method: method!,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const hosted = hostedResponses[`${method} ${url?.split('?')[0]}`]
    if (unsupported.includes(upstream.status) && hosted) {
      return void response.end(JSON.stringify(hosted()))
    }
    response.writeHead(upstream.status)
    for await (const bytes of upstream.body as unknown as AsyncIterable<Uint8Array>) {
      response.write(bytes)
    }
    response.end()
  })
  forwardSockets(server.server)
  await startHostedSockets(server.server)
  return server
}

/** The response to an installation, which would begin a download. */
async function describeModel(name: string): Promise<unknown> {
  const response = await fetch(`${service.baseUrl}/local/v1/models`)
  const { models } = (await response.json()) as { models: { name: string }[] }
  return models.find((model) => model.name === name)
}

/** Connects each socket with the local service. */
function forwardSockets(server: Server): void {
  const { hostname, port } = new URL(service.baseUrl)
  server.on('upgrade', ({ url, rawHeaders }: IncomingMessage, connection: Duplex) => {
    if (isHosted(url)) return
    const upstream = connect(Number(port), hostname)
    const headers = rawHeaders.map((part, index) => part + (index % 2 ? '\r\n' : ': '))
    upstream.write(`GET ${url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    pipeline(connection, upstream, connection, () => {})
  })
}

/** Whether the local service does not support a socket here. */
const isHosted = (url = '') => !canTranscribe && url.startsWith('/stt/')

/** Responds as a hosted service to each stream of audio. */
async function startHostedSockets(server: Server): Promise<void> {
  await startSocketServer({
    server,
    onUpgrade(_connection, accept, { url }) {
      if (isHosted(url)) accept()
    },
    onMessage(socket, message) {
      if (!message['closeStream']) return
      socket.send({ result: { transcription: { transcript: spoken.text, isFinal: true } } })
      socket.webSocket.close(1000)
    },
  })
}

const entries = ['index', 'wire/index', 'audio/index', 'text/index', 'address'].map((entry) =>
  join(repository, `packages/core/src/${entry}.ts`),
)
const exampleFile = (title: string) =>
  join(folder, `example-${examples.findIndex((example) => example.title === title)}.ts`)
const optionsFile = () => join(folder, 'options.ts')

/** One program for all checks: compiling the packages for each example took most of the time. */
function createProgram(): ts.Program {
  for (const { title, code } of examples) writeFileSync(exampleFile(title), code)
  writeFileSync(
    optionsFile(),
    `import type { CallOptions, ClientOptions } from '@parlando/core'
     export declare const names: keyof ClientOptions | keyof CallOptions`,
  )
  const configFile = join(repository, 'tsconfig.base.json')
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository)
  const files = [...examples.map(({ title }) => exampleFile(title)), optionsFile(), ...entries]
  return ts.createProgram(files, options)
}

function problemsIn(file: string): string[] {
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file)!)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Imports each script that it receives, and sends the error, if there is one. */
const runner = `
process.on('message', async (file) => {
  const error = await import(file).then(() => '', ({ stack }) => stack)
  process.send(error)
})`

describe('the examples', { timeout: 300_000 }, () => {
  // One process, since loading the packages takes longer than most examples.
  let child: ChildProcess
  beforeAll(() => {
    const file = join(folder, 'runner.mjs')
    writeFileSync(file, runner)
    child = fork(file, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  })
  afterAll(() => void child.kill())

  it.each(examples.map(({ title, code }) => [title, code]))('run: %s', async (title, code) => {
    expect(code).toContain(documentedUrl)
    expect(problemsIn(exampleFile(title))).toEqual([])
    const { baseUrl } = await startService()
    const { outputText } = ts.transpileModule(code.replaceAll(documentedUrl, baseUrl), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    const script = exampleFile(title).replace(/ts$/, 'mjs')
    writeFileSync(script, outputText)
    child.send(script)
    const [outcome] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([exitCode]) => [`exit code ${exitCode}`]),
    ])
    expect(outcome).toBe('')
  })

  it('keep nothing open', async () => {
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('the types', () => {
  it('document each export', () => {
    const checker = program.getTypeChecker()
    const exported = entries
      .map((file) => checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
      .flatMap((module) => checker.getExportsOfModule(module))
      .map((symbol) =>
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      )
    const undocumented = exported.filter(
      (symbol) => symbol.getDocumentationComment(checker).length === 0,
    )
    expect(exported.length).toBeGreaterThan(100)
    expect(undocumented.map(({ name }) => name)).toEqual([])
  })
})

describe('docs/core.md', () => {
  it('shows every method of the client', async () => {
    const client = core.createClient({ baseUrl: documentedUrl })
    await client.close()
    const shown = readExamples('docs/core.md').map(({ code }) => code)
    const missing = Object.keys(client).filter((call) => !shown.join().includes(`client.${call}(`))
    expect(missing, 'Add an example that calls it to docs/core.md.').toEqual([])
  })

  it('names every client option, every call option and every error class', () => {
    expect(problemsIn(optionsFile())).toEqual([])
    const checker = program.getTypeChecker()
    const [names] = checker.getExportsOfModule(
      checker.getSymbolAtLocation(program.getSourceFile(optionsFile())!)!,
    )
    const union = checker.getTypeOfSymbol(names!) as ts.UnionType
    const options = union.types.map((type) => (type as ts.StringLiteralType).value)
    expect(options).toEqual(expect.arrayContaining(['baseUrl', 'signal']))
    const errors = Object.keys(core).filter((name) => name.endsWith('Error'))
    for (const name of [...options, ...errors]) expect(guide).toContain(`\n| \`${name}\` |`)
  })
})
