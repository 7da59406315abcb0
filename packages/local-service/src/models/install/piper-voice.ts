import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { readTextFile } from '../../machine/user-files.ts'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { findEspeakData } from './espeak-data.ts'
import type { Provenance } from './install-record.ts'
import { addOnnxMetadata } from './onnx-metadata.ts'

/** What Piper writes next to each voice, as far as sherpa-onnx needs it. */
const configSchema = z.object({
  audio: z.object({ sample_rate: z.number().int().positive() }),
  espeak: z.object({ voice: z.string().regex(/^[a-z]{2,3}(-|$)/) }),
  phoneme_type: z.string().default('espeak'),
  phoneme_id_map: z.record(z.string(), z.array(z.number().int().min(0)).min(1)),
  num_speakers: z.number().int().positive().default(1),
  language: z.object({ code: z.string().regex(/^[a-z]{2,3}([-_][A-Za-z]{2})?$/) }).optional(),
  dataset: z.string().min(1).max(100).optional(),
})

/** A voice in the two files that Piper and Home Assistant use: `NAME.onnx` and `NAME.onnx.json`. */
export interface PiperVoice {
  /** An entry as those of the catalogue. Its only source is the file. */
  entry: CatalogueEntry
  path: string
  config: z.infer<typeof configSchema>
}

const maxConfigBytes = 1024 * 1024
/** The size of espeak-ng-data, which is copied. */
const espeakBytes = 13_000_000

/** Whether an argument names a file instead of a model of the catalogue. */
export const isVoiceFile = (name: string) => /\.onnx(\.json)?$/.test(name)

/**
 * Reads the description of a voice file.
 * @throws {ModelError} if one of its two files is missing, or if sherpa-onnx cannot speak with it.
 */
export async function readPiperVoice(file: string): Promise<PiperVoice> {
  const path = resolve(file.replace(/\.json$/, ''))
  const { size } = await stat(path).catch(() => {
    throw new ModelError('INCOMPLETE', `The file ${path} does not exist`)
  })
  const text = await readTextFile(`${path}.json`, maxConfigBytes).catch((error: Error) => {
    const reason = existsSync(`${path}.json`) ? error.message : 'it does not exist'
    throw new ModelError(
      'INCOMPLETE',
      `A voice of Piper has two files, and ${basename(path)}.json cannot be read: ${reason}. Put it next to ${path}`,
    )
  })
  const parsed = configSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const { path: where = [], message } = parsed.error.issues[0]!
    const reason = `${where.join('.')} ${message}`.trim()
    throw new ModelError('DAMAGED', `${path}.json does not describe a voice of Piper: ${reason}`)
  }
  const config = parsed.data
  if (config.phoneme_type !== 'espeak') {
    throw new ModelError(
      'INCOMPLETE',
      `${basename(path)} cannot be used: it reads phonemes of the type ${config.phoneme_type}, and sherpa-onnx only knows those of espeak-ng`,
    )
  }
  return { path, config, entry: describeVoice(path, size, config) }
}

function describeVoice(path: string, bytes: number, config: PiperVoice['config']): CatalogueEntry {
  const name = basename(path, '.onnx').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  // The code is one such as en-us; some voices add an accent: en-us-nyc.
  const [language = 'en', region] = (config.language?.code ?? config.espeak.voice).split(/[-_]/)
  const locale = new Intl.Locale(region?.length === 2 ? `${language}-${region}` : language)
  const spoken = `${locale.language}-${locale.maximize().region}`
  const dataset = config.dataset ?? name
  return {
    name,
    kind: 'voice',
    folder: `vits-piper-${name}`,
    displayName: `${dataset[0]!.toUpperCase()}${dataset.slice(1)}`,
    family: 'piper',
    languages: [spoken],
    langCode: spoken.replace('-', '_').toUpperCase(),
    summary: 'a voice file of Piper',
    machine: 'pi4',
    licence: { name: 'that of its maker', url: path, commercialUse: 'unclear' },
    checkedOn: null,
    sources: [
      {
        files: [{ path: basename(path), bytes: bytes + espeakBytes, isConfirmed: false, urls: [] }],
      },
    ],
  }
}

/**
 * Makes a folder for sherpa-onnx of a voice file: adds the metadata and tokens that it expects, and the pronunciation rules.
 * @param models the folder of the models, whose rules can be used.
 * @throws {ModelError} if the file is damaged, or if this machine has no rules.
 */
export async function stagePiperVoice(
  { entry, path, config }: PiperVoice,
  staging: string,
  models: string,
): Promise<Provenance> {
  const folder = join(staging, entry.folder)
  const rules = await findEspeakData([dirname(path), models])
  await mkdir(folder)
  const model = join(folder, `${entry.name}.onnx`)
  await copyFile(path, model)
  await addOnnxMetadata(model, {
    model_type: 'vits',
    comment: 'piper',
    language: entry.languages[0]!,
    voice: config.espeak.voice,
    has_espeak: 1,
    n_speakers: config.num_speakers,
    sample_rate: config.audio.sample_rate,
  })
  const tokens = Object.entries(config.phoneme_id_map).map(([symbol, [id]]) => `${symbol} ${id}\n`)
  await writeFile(join(folder, 'tokens.txt'), tokens.join(''))
  await copyFile(`${path}.json`, `${model}.json`)
  await cp(rules, join(folder, 'espeak-ng-data'), { recursive: true, dereference: true })
  return { origin: path, isConfirmed: false }
}
