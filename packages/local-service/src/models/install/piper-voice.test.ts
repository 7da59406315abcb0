import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  float,
  input,
  node,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findEspeakData } from './espeak-data.ts'
import { isVoiceFile, readPiperVoice, stagePiperVoice } from './piper-voice.ts'

const graph = [node('Sin', ['x'], 'y'), input('x', float, ['n']), output('y', float, ['n'])]
const config = {
  audio: { sample_rate: 22_050, quality: 'medium' },
  espeak: { voice: 'en-us' },
  phoneme_type: 'espeak',
  phoneme_id_map: { _: [0], '^': [1], ' ': [3], a: [14], '1': [150, 151] },
  num_speakers: 2,
  language: { code: 'en_GB' },
  dataset: 'anna',
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-piper-'))
  await mkdir(join(folder, 'models'))
  await mkdir(join(folder, 'espeak-ng-data'))
  await writeFile(join(folder, 'espeak-ng-data/phontab'), 'rules')
})
afterAll(() => rm(folder, { recursive: true }))

async function writeVoice(name: string, about: object | string): Promise<string> {
  const path = join(folder, `${name}.onnx`)
  await writeFile(path, onnxModel(graph, {}))
  await writeFile(`${path}.json`, typeof about === 'string' ? about : JSON.stringify(about))
  return path
}

describe('a voice file of Piper', () => {
  it('becomes a folder that sherpa-onnx can read', async () => {
    const voice = await readPiperVoice(await writeVoice('en_GB-anna-low', config))
    expect(voice.entry).toMatchObject({
      name: 'en_GB-anna-low',
      folder: 'vits-piper-en_GB-anna-low',
      displayName: 'Anna',
      langCode: 'EN_GB',
    })
    const origin = await stagePiperVoice(voice, join(folder, 'models'), folder)
    expect(origin).toEqual({ origin: voice.path, isConfirmed: false })

    const made = join(folder, 'models/vits-piper-en_GB-anna-low')
    expect(await readdir(made)).toEqual([
      'en_GB-anna-low.onnx',
      'en_GB-anna-low.onnx.json',
      'espeak-ng-data',
      'tokens.txt',
    ])
    expect((await readFile(join(made, 'tokens.txt'), 'utf8')).split('\n').sort()).toEqual(
      ['', '  3', '1 150', '^ 1', '_ 0', 'a 14'].sort(),
    )
    expect(await readFile(join(made, 'en_GB-anna-low.onnx'))).toEqual(
      onnxModel(graph, {
        model_type: 'vits',
        comment: 'piper',
        language: 'en-GB',
        voice: 'en-us',
        has_espeak: 1,
        n_speakers: 2,
        sample_rate: 22_050,
      }),
    )
    expect(await readFile(join(made, 'espeak-ng-data/phontab'), 'utf8')).toBe('rules')
  })

  it.each([
    ['en-us-nyc', 'EN_US'],
    ['de', 'DE_DE'],
    ['pt-br', 'PT_BR'],
  ])('without a language speaks that of its rules: %s', async (rules, langCode) => {
    const { language: _, dataset: __, ...rest } = config
    const path = await writeVoice('my voice', { ...rest, espeak: { voice: rules } })
    const { entry } = await readPiperVoice(`${path}.json`)
    expect(entry).toMatchObject({ name: 'my-voice', displayName: 'My-voice', langCode })
  })

  it('is rejected with what is missing or wrong', async () => {
    const read = async (about: object | string) => readPiperVoice(await writeVoice('bad', about))
    await expect(readPiperVoice(join(folder, 'none.onnx'))).rejects.toThrow(
      /none\.onnx does not exist$/,
    )
    await expect(read({ ...config, phoneme_type: 'pinyin' })).rejects.toThrow(
      'phonemes of the type pinyin',
    )
    await expect(read({ ...config, audio: {} })).rejects.toThrow('audio.sample_rate')
    await expect(read('no JSON')).rejects.toThrow('does not describe a voice of Piper')
    await expect(read({ ...config, language: { code: '!' } })).rejects.toThrow(
      'does not describe a voice of Piper: language.code',
    )
    await rm(join(folder, 'bad.onnx.json'))
    await expect(readPiperVoice(join(folder, 'bad.onnx'))).rejects.toThrow(
      /bad\.onnx\.json cannot be read: it does not exist\. Put it next to/,
    )
  })
})

describe('espeak-ng-data', () => {
  it('is found near the voice, in another model, in a system folder, or where a variable says', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    const found = join(folder, 'espeak-ng-data')
    expect(await findEspeakData([folder], [])).toBe(found)
    expect(await findEspeakData([], [join(folder, '..')])).toMatch(/espeak-ng-data$/)
    await expect(findEspeakData([join(folder, 'none')], [])).rejects.toThrow(
      'sudo apt-get install espeak-ng-data',
    )
    for (const named of [found, folder]) {
      vi.stubEnv('ESPEAK_DATA_PATH', named)
      expect(await findEspeakData([], [])).toBe(found)
    }
  })
})

it('a file is told apart from a name of the catalogue', () => {
  expect(['kristin', 'a.onnx', './b/a.onnx.json'].map(isVoiceFile)).toEqual([false, true, true])
})
