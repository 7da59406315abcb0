import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toHibariGraph } from '@parlando/test-support/local-service/models/hibari-graph'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonLufs, integratedLoudness } from '../../audio/integrated-loudness.ts'
import { joinSamples } from '../../audio/signal.ts'
import { hibari } from '../../engines/hibari/hibari-engine.ts'
import { runModelCommand } from '../../model-management/commands/run-model-command.ts'
import { type CatalogueEntry, findEntry, type ModelFile } from '../catalogue/catalogue.ts'

const heart = fileURLToPath(import.meta.resolve('@parlando/voices/heart/weights.safetensors'))
const texts = [
  'The parcel is in the hall, and the garden gate is open.',
  'It is seven in the morning, and the coffee is ready.',
  'Somebody has switched on all lights in the basement.',
]

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parlando-hibari-'))
})
afterAll(() => rm(root, { recursive: true }))

/** Publishes the network of Heart as if it was a British voice. */
async function publish(graph: Buffer): Promise<CatalogueEntry> {
  const entry = findEntry('voice', 'emma')
  const [source] = entry.sources
  const { path, urls } = (source as { files: readonly ModelFile[] }).files[0]!
  await mkdir(join(root, 'mirror', entry.folder), { recursive: true })
  await writeFile(join(root, 'mirror', entry.folder, path), graph)
  const sha256 = createHash('sha256').update(graph).digest('hex')
  const file = { path, urls, bytes: graph.length, sha256, isConfirmed: false }
  return { ...entry, sources: [{ files: [file] }] }
}

/** Runs the command where sherpa-onnx-node is not installed. */
async function run(args: readonly string[], offered: readonly CatalogueEntry[]) {
  const printed: string[] = []
  const write = (text: string) => void printed.push(text)
  const terminal = { isInteractive: false, print: write, note: write, progress: write }
  const folders = ['--data-folder', join(root, 'data'), '--engines-folder', join(root, 'none')]
  await runModelCommand('voice', [...args, ...folders], {
    terminal: { ...terminal, confirm: async () => false },
    offered,
  })
  return printed.join('\n')
}

describe('a voice of hibari', { timeout: 300_000 }, () => {
  it('is not installed if its graph is another one', async () => {
    const entry = await publish(Buffer.from('not a graph'))
    const adding = run(['add', 'emma', '--from', join(root, 'mirror'), '--yes'], [entry])
    await expect(adding).rejects.toThrow('The voice cannot be read: it')
    expect(await readdir(join(root, 'data/models'))).not.toContain('hibari-emma')
  })

  it('is installed without sherpa-onnx, tested, offered at the common loudness, and removed', async () => {
    const entry = await publish(toHibariGraph(await readFile(heart)))
    const added = await run(['add', 'emma', '--from', join(root, 'mirror'), '--yes'], [entry])
    expect(added).not.toContain('sherpa')
    const installed = join(root, 'data/models/hibari-emma')
    expect((await readdir(installed)).sort()).toEqual(
      ['.parlando.json', 'loudness.json', 'parlando.json', 'weights.safetensors'].sort(),
    )
    const weights = await readFile(join(installed, 'weights.safetensors'))
    expect(weights.equals(await readFile(heart))).toBe(true)
    expect(await run(['test', 'emma'], [entry])).toContain('Names in the service: Emma')
    expect(await run(['verify', 'emma'], [entry])).not.toContain('differ')

    const dataFolder = join(root, 'data')
    const engine = (await hibari.start({ options: {}, dataFolder, warn: console.warn }))!
    expect(engine.voices.map(({ voice }) => [voice?.voiceId, voice?.langCode])).toEqual([
      ['Heart', 'EN_US'],
      ['Emma', 'EN_GB'],
    ])
    const pieces: Float32Array[] = []
    const speak = (text: string) =>
      engine.speakPhrase({
        voice: 'emma',
        text,
        modelId: 'svc-tts-2',
        withWords: false,
        signal: new AbortController().signal,
        onSound: ({ samples }) => pieces.push(samples),
      })
    for (const text of texts) await speak(text)
    const loudness = integratedLoudness(joinSamples(pieces), engine.sampleRateHertz)
    expect(Math.abs(loudness - commonLufs)).toBeLessThan(1)

    await run(['remove', 'emma'], [entry])
    await hibari.refresh!(engine)
    expect(engine.voices).toHaveLength(1)
    await expect(speak('Gone.')).rejects.toThrow('The voice emma was removed from this machine')
    await engine.close()
  })
})
