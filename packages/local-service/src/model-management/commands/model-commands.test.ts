import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWavHeader, writeWavHeader } from '@parlando/core/audio'
import {
  sayTones,
  writeTinyRecogniser,
} from '@parlando/test-support/local-service/models/tiny-recogniser-model'
import { writeTinyModel } from '@parlando/test-support/local-service/models/tiny-tts-model'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { packTar } from 'modern-tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeEngines, startEngines } from '../../engines/engine-registry.ts'
import type { CatalogueEntry } from '../../models/catalogue/catalogue.ts'
import type { ModelKind } from '../../models/sherpa/model-kind.ts'
import { readModelCommand } from './command.ts'
import { runModelCommand } from './run-model-command.ts'

let root: string
let offered: CatalogueEntry[]

/** Packs a folder of a model as its maker publishes it, and describes it. */
async function publish(folder: string, about: Partial<CatalogueEntry>): Promise<CatalogueEntry> {
  const path = join(root, 'source', folder)
  const entries = (await readdir(path)).map(async (name) => {
    const body = await readFile(join(path, name))
    return { header: { name: `${folder}/${name}`, size: body.length, type: 'file' as const }, body }
  })
  const archive = await packTar(await Promise.all(entries))
  await writeFile(join(root, 'mirror', `${folder}.tar`), archive)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const urls = [`https://example.invalid/${folder}.tar`]
  return {
    name: 'anna',
    kind: 'voice',
    folder,
    displayName: 'Anna',
    family: 'piper',
    languages: ['de-DE'],
    summary: 'a voice of a test',
    machine: 'pi4',
    licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
    checkedOn: null,
    sources: [{ archive: { bytes: archive.length, sha256, isConfirmed: true, urls } }],
    ...about,
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parlando-commands-'))
  await mkdir(join(root, 'mirror'))
  const words = 'good morning it is seven o clock and the coffee is ready'.split(' ')
  await writeTinyModel(join(root, 'source/vits-piper-de_DE-anna'), words)
  await writeTinyRecogniser(join(root, 'source/streaming-zipformer-ctc-en'), 'streaming')
  await mkdir(join(root, 'source/vits-broken'))
  await writeFile(join(root, 'source/vits-broken/readme.txt'), 'no model')
  const restricted = {
    name: 'OpenRAIL-M',
    url: 'https://example.org',
    commercialUse: 'yes',
  } as const
  offered = [
    await publish('vits-piper-de_DE-anna', {}),
    await publish('streaming-zipformer-ctc-en', {
      name: 'tones',
      kind: 'recogniser',
      languages: ['en'],
    }),
    await publish('vits-broken', { name: 'broken', licence: restricted, languages: ['fr'] }),
  ]
})
afterAll(() => rm(root, { recursive: true }))

/** Runs a command with a data folder of this name. @returns what it prints, and what it says meanwhile. */
async function run(kind: ModelKind, args: string[], data = 'data', consent?: boolean) {
  const printed: string[] = []
  const notes: string[] = []
  const terminal = {
    isInteractive: consent !== undefined,
    print: (text: string) => void printed.push(text),
    note: (text: string) => void notes.push(text),
    progress: (text: string) => void notes.push(text),
    confirm: async (question: string) => {
      notes.push(question)
      return consent ?? false
    },
  }
  const folders = ['--data-folder', join(root, data), '--engines-folder', optionalEnginesFolder]
  await runModelCommand(kind, [...args, ...folders], { terminal, offered })
  return { printed: printed.join('\n'), notes: notes.join('\n') }
}

describe('parlando-local voices', () => {
  it('installs a voice, which the service then offers, and removes it', async () => {
    const from = ['--from', join(root, 'mirror')]
    const { notes } = await run('voice', ['add', 'anna', ...from], 'data', true)
    expect(notes).toMatch(
      /Licence: CC0-1\.0.*\n[\s\S]*accept the licence\?\n[\s\S]*Loading anna.*\nanna is installed/,
    )

    const listed = await run('voice', ['list'])
    expect(listed.printed).toMatch(/^installed +anna +de-DE +\d+ kB +CC0-1\.0 +a voice of a test$/m)

    const wav = join(root, 'hello.wav')
    const tested = await run('voice', ['test', 'anna', 'good morning', '--out', wav])
    expect(tested.printed).toMatch(
      /sherpa-vits-piper-de_de-anna\nFirst sound after \d+ ms\n.*\nOne second of sound takes/s,
    )
    expect(readWavHeader(await readFile(wav))).toMatchObject({ sampleRateHertz: 24_000 })

    const engines = await startEngines({
      dataFolder: join(root, 'data'),
      enginesFolder: optionalEnginesFolder,
      maxWaitingPhrases: 1,
      warn: () => {},
    })
    const voices = engines.get('sherpa')?.engine.voices ?? []
    await closeEngines(engines)
    expect(voices).toMatchObject([{ voice: { displayName: 'Anna (sherpa)', langCode: 'DE_DE' } }])

    const file = join(root, 'anna.tar')
    await run('voice', ['bundle', 'anna', '--out', file])
    const other = await run('voice', ['add', 'anna', '--yes', '--json', '--from', file], 'other')
    expect(JSON.parse(other.printed)).toMatchObject([
      { name: 'anna', origin: join(root, 'mirror') },
    ])
    expect((await run('voice', ['verify'], 'other')).printed).toBe('anna: unchanged')

    await writeFile(join(root, 'other/models/vits-piper-de_DE-anna/tokens.txt'), 'changed')
    await expect(run('voice', ['verify', 'anna'], 'other')).rejects.toThrow('Install again')
    await run('voice', ['remove', 'anna'])
    expect((await run('voice', ['list'])).printed).not.toContain('installed')
  })

  it('installs a voice once that is named twice', async () => {
    const add = ['add', 'anna', 'vits-piper-de_DE-anna', '--dry-run', '--json']
    const { printed } = await run('voice', add, 'none')
    expect(JSON.parse(printed).install).toMatchObject([{ name: 'anna' }])
  })

  it('installs nothing without consent', async () => {
    const add = (args: string[], consent?: boolean) =>
      run('voice', ['add', 'anna', '--from', join(root, 'mirror'), ...args], 'none', consent)
    await expect(add([])).rejects.toThrow('Add --yes')
    await expect(add([], false)).rejects.toThrow('Nothing is installed')
    const { printed } = await add(['--dry-run', '--json'])
    expect(JSON.parse(printed)).toMatchObject({ install: [{ name: 'anna' }], installAddon: false })
    expect(await readdir(root)).not.toContain('none')
  })

  it('asks for a restricted licence by its name, and leaves nothing of a model that does not load', async () => {
    const add = (...args: string[]) =>
      run('voice', ['add', 'broken', '--yes', '--from', join(root, 'mirror'), ...args], 'broken')
    await expect(add()).rejects.toThrow('add --accept-licence "OpenRAIL-M"')
    await expect(add('--accept-licence', 'OpenRAIL-M')).rejects.toMatchObject({
      code: 'LOAD_FAILED',
    })
    expect(await readdir(join(root, 'broken/models'))).toEqual(['.downloads'])
  })

  it('rejects a bundle of another model and a damaged one', async () => {
    const add = (file: string) => run('voice', ['add', 'anna', '--yes', '--from', file], 'bad')
    const foreign = join(root, 'foreign.tar')
    await writeFile(
      foreign,
      await packTar([{ header: { name: 'vits-piper-de_DE-anna/a', size: 1 }, body: 'a' }]),
    )
    await expect(add(foreign)).rejects.toThrow('not made by the command bundle')
    await writeFile(foreign, 'no archive')
    await expect(add(foreign)).rejects.toMatchObject({ code: 'DAMAGED' })
  })
})

describe('parlando-local recognisers', () => {
  it('installs a recogniser and transcribes a recording', async () => {
    await run('recogniser', ['add', 'tones', '--yes', '--from', join(root, 'mirror')], 'ears')
    const samples = sayTones('turn off the light')
    const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    const header = writeWavHeader({ sampleRateHertz: 16_000, dataBytes: pcm.length })
    const wav = join(root, 'light.wav')
    await writeFile(wav, Buffer.concat([header, pcm]))
    const { printed } = await run('recogniser', ['test', 'tones', wav], 'ears')
    expect(printed).toMatch(
      /^Names in the service: sherpa\/streaming-zipformer-ctc-en\nText: turn off the light\nMemory: \d+ MB\n/,
    )
    for (const action of ['test', 'verify', 'remove']) {
      await expect(run('voice', [action, 'tones'], 'ears')).rejects.toThrow(
        `tones is not a voice. Use parlando-local recognisers ${action} tones`,
      )
    }
    await expect(
      run('voice', ['bundle', 'tones', '--out', join(root, 'tones.tar')], 'ears'),
    ).rejects.toThrow('tones is not a voice')
    await run('recogniser', ['remove', 'tones'], 'ears')
    await expect(run('voice', ['remove', 'tones'], 'ears')).rejects.toThrow('tones is not a voice')
    expect((await run('recogniser', ['list'], 'ears')).printed).not.toContain('installed')
  })
})

describe('readModelCommand', () => {
  it.each([
    [['sing'], 'Unknown action: sing. Known: list, add'],
    [['add'], 'add needs the name of a voice'],
    [['bundle', 'anna'], 'bundle needs --out FILE'],
    [['--loud'], "Unknown option '--loud'"],
  ])('rejects %j', (args, message) => {
    expect(() => readModelCommand('voice', args, {})).toThrow(message)
  })

  it('reads the mirror and the folders from the environment', () => {
    const environment = {
      PARLANDO_LOCAL_VOICES_MIRROR: 'http://nas/voices',
      PARLANDO_LOCAL_DATA_FOLDER: '/data',
    }
    const expected = { action: 'list', from: 'http://nas/voices', dataFolder: '/data' }
    expect(readModelCommand('voice', [], environment)).toMatchObject(expected)
  })

  it('reads a folder relative to the one in which it runs', () => {
    const { dataFolder } = readModelCommand('voice', ['--data-folder', 'parlando'], {})
    expect(dataFolder).toBe(join(process.cwd(), 'parlando'))
  })
})
