import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/core.md'), 'utf8')
const [, documented = ''] = /```sh\n(esbuild .*?)\n```/s.exec(guide)!

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-bundles-'))
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true }))

const speakingApp = `
  import { createClient } from '@parlando/core'
  const client = createClient({ baseUrl: process.argv[2] })
  client
    .synthesize({ text: 'Hello.', voiceId: 'Clara' })
    .then(({ audio }) => console.log(audio.toString()))
    .finally(() => client.close())`

/** Bundles an app as in a terminal. */
function bundle(app: string, command: string): void {
  writeFileSync(join(folder, 'app.js'), app)
  const path = [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  execFileSync(command, {
    cwd: folder,
    env: { ...process.env, PATH: path },
    shell: true,
    stdio: 'pipe',
  })
}

/** Runs a file of the folder. @returns the text that it prints. */
async function run(file: string, ...args: string[]): Promise<string> {
  // Resolves no package, except those that the bundle leaves out.
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file), ...args])
  return stdout.trim()
}

const bundles = [
  ['with the command of the guide', documented, 'app.mjs'],
  [
    'for CommonJS without the banner',
    'esbuild app.js --bundle --platform=node --format=cjs --outfile=app.cjs',
    'app.cjs',
  ],
  [
    'with packages outside it and without the banner',
    'esbuild app.js --bundle --platform=node --format=esm --packages=external --outfile=app.mjs',
    'app.mjs',
  ],
] as const

describe('a bundle', () => {
  it.each(bundles)('of the client runs when it is made %s', async (_how, command, file) => {
    const audioContent = Buffer.from('the audio').toString('base64')
    const server = await startTestServer((response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ audioContent }))
    })
    bundle(speakingApp, command)
    expect(await run(file, server.baseUrl)).toBe('the audio')
  })

  it('of the client as ESM needs the banner', async () => {
    bundle(speakingApp, documented.replace(/\\\n.*$/s, ''))
    await expect(run('app.mjs')).rejects.toThrow('Dynamic require')
  })

  it('of the parts without HTTP runs without the banner', async () => {
    const parts = ['text', 'audio', 'wire', 'address']
    const app = parts.map((part) => `export * as ${part} from '@parlando/core/${part}'`)
    const names = `import * as parts from './app.js'\nconsole.log(Object.keys(parts).length)`
    writeFileSync(join(folder, 'names.js'), names)
    bundle(
      app.join('\n'),
      'esbuild names.js --bundle --platform=node --format=esm --outfile=app.mjs',
    )
    expect(await run('app.mjs')).toBe(`${parts.length}`)
  })
})
