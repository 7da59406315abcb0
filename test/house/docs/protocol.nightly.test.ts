import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** The overview, and the page of each subject. */
const pages = [
  'protocol.md',
  ...readdirSync(join(repository, 'docs/protocol')).map((name) => `protocol/${name}`),
].sort()
const guide = pages.map((name) => readFileSync(join(repository, 'docs', name), 'utf8')).join('\n')
const description = parse(
  readFileSync(join(repository, 'packages/local-service/openapi.yaml'), 'utf8'),
)
const documentedUrl = 'http://127.0.0.1:8080'
const workspace = '/voices/v1/workspaces/any/voices'
/** Of an example. On a busy machine, a transcription takes its time. */
const limitMs = 120_000

interface Example {
  heading: string
  command: string
  status: number
  /** Absent for binary responses. */
  response?: { kind: string; text: string }
}

/** A command, the status and the body of its response. */
const exampleForm =
  /^#+ (?<heading>.*)$|^```sh\n(?<command>[\s\S]*?)^```\n\nResponse: (?<status>\d+)[^\n]*\n(?:\n```(?<kind>\w+)\n(?<text>[\s\S]*?)^```)?/gm

function readExamples(): Example[] {
  const examples: Example[] = []
  let heading = ''
  for (const { groups = {} } of guide.matchAll(exampleForm)) {
    heading = groups['heading'] ?? heading
    const { command, status, kind, text } = groups
    if (!command) continue
    const response = kind && text ? { kind, text } : undefined
    examples.push({ heading, command, status: Number(status), response })
  }
  return examples
}

/** The text below the heading of an endpoint. */
function sectionOf(call: string): string {
  const [, section = ''] = guide.split(`## \`${call}\`\n`)
  return section.split(/^#+ /m)[0]!
}

const examples = readExamples()
const calls = [...guide.matchAll(/^##+ `((?:GET|POST|PATCH|DELETE) .*)`$/gm)].map(
  ([, call]) => call!,
)

let folder: string
let service: LocalService
let voiceId: string
let operationName: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-protocol-'))
  service = await startLocalService({ dataFolder: join(folder, 'data'), warmUp: false })
  const text =
    'The laundry is done, and the dishes are clean. Now it is time for a cup of tea in the garden.'
  const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16000 }
  const response = await fetch(`${service.baseUrl}/tts/v1/voice`, {
    method: 'POST',
    body: JSON.stringify({ text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }),
  })
  const { audioContent } = (await response.json()) as { audioContent: string }
  writeFileSync(join(folder, 'my-voice.wav'), Buffer.from(audioContent, 'base64'))
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command as a reader would. @returns its output and the status. */
async function run(command: string): Promise<{ output: string; status: number }> {
  const script = command
    .replaceAll(documentedUrl, service.baseUrl)
    .replaceAll(/\bcurl /g, String.raw`curl -w '\n%{http_code}' `)
  const env = {
    ...process.env,
    VOICE: voiceId,
    OPERATION: operationName,
    AUDIO: command.includes('$AUDIO') ? await audioUri() : '',
    PARLANDO_LOCAL_API_KEY: keys.service,
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: folder,
    env,
    maxBuffer: 16 * 1024 * 1024,
    timeout: 0.9 * limitMs,
  })
  const at = stdout.lastIndexOf('\n')
  return { output: stdout.slice(0, at), status: Number(stdout.slice(at)) }
}

/** Waits for the end of the operation that an example has begun. */
async function audioUri(): Promise<string> {
  const read = async () => (await fetch(`${service.baseUrl}/lro/v1alpha/${operationName}`)).json()
  await expect.poll(read, { timeout: 0.9 * limitMs }).toMatchObject({ done: true })
  return ((await read()) as { response: { audioUri: string } }).response.audioUri
}

/** Turns a documented response into a pattern: same names and integers, other values of the same type. */
function shapeOf(value: unknown): unknown {
  if (Number.isInteger(value)) return value
  if (Array.isArray(value)) {
    return value.length > 0 ? expect.arrayContaining([shapeOf(value[0])]) : []
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
    return expect.objectContaining(Object.fromEntries(entries))
  }
  return value === null ? null : expect.any(Object(value).constructor)
}

async function check({ command, status: documented, response }: Example): Promise<void> {
  const { output, status } = await run(command)
  expect(status, output).toBe(documented)
  if (response?.kind === 'json') {
    const shape = shapeOf(JSON.parse(response.text))
    for (const line of output.trim().split('\n')) expect(JSON.parse(line)).toEqual(shape)
    const { voice, name = '' } = JSON.parse(output.split('\n')[0]!)
    voiceId = voice?.voiceId ?? voiceId
    if (name.includes('/operations/')) operationName = name
  }
  if (response?.kind === 'text') {
    for (const line of response.text.trim().split('\n')) expect(output).toContain(line)
  }
}

const transcribes = ({ command }: Example) =>
  /\/stt\/v1\/|\/v1\/audio\/transcriptions/.test(command)

// In the order of each page: some examples delete what earlier ones created.
describe('the examples of docs/protocol', needs('curl'), () => {
  for (const example of examples) {
    const options = { ...(transcribes(example) && needsRecogniser()), timeout: limitMs }
    it(`get the documented response: ${example.heading}`, options, () => check(example))
  }

  it('get the same response with a workspace in the path', async () => {
    const ofVoices = examples.filter(({ command }) => command.includes('/voices/v1/voices'))
    expect(ofVoices.length).toBeGreaterThanOrEqual(7)
    for (const example of ofVoices) {
      const command = example.command.replace('/voices/v1/voices', workspace)
      await check({ ...example, command })
    }
  })
})

describe('docs/protocol', () => {
  it('shows the response to each command', () => {
    expect(examples).toHaveLength(guide.match(/^```sh$/gm)!.length)
  })

  it('shows exactly the endpoints of the OpenAPI description, each with an example', () => {
    const described = Object.entries<object>(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const plain = described.map((call) => call.replace('/workspaces/{workspace}', ''))
    expect([...calls].sort()).toEqual([...new Set(plain)].sort())
    for (const call of calls) expect(sectionOf(call), call).toContain('\n```sh\n')
  })

  it('names every field and every parameter of each endpoint', () => {
    const schemaOf = (reference: string) =>
      description.components.schemas[reference.split('/').at(-1)!]
    for (const call of calls) {
      const [method = '', path = ''] = call.split(' ')
      const { parameters = [], requestBody } = description.paths[path][method.toLowerCase()]
      const content = Object.values(requestBody?.content ?? {})[0] as { schema: { $ref: string } }
      const body = content?.schema.$ref
      const names: string[] = [
        ...parameters.filter((parameter: { in: string }) => parameter.in === 'query'),
        ...Object.keys((body && schemaOf(body).properties) ?? {}).map((name) => ({ name })),
      ].map(({ name }: { name: string }) => name)
      const rows =
        sectionOf(call)
          .match(/^\| `.*$/gm)
          ?.join('\n') ?? ''
      for (const name of names) expect(rows, call).toMatch(new RegExp(`\`${name}[\`.[]`))
    }
  })
})
