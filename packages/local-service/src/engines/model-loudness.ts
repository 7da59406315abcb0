import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languageOf } from '@parlando/core/text'
import { parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { commonLufs, integratedLoudness } from '../audio/integrated-loudness.ts'
import { joinSamples } from '../audio/signal.ts'
import { readTextFile } from '../machine/user-files.ts'
import texts from './measuring-texts.json' with { type: 'json' }

/** Beside the model. */
const fileName = 'loudness.json'
const maxFileBytes = 64 * 1024
/** Less is one or two words, whose loudness says little about that of others. */
const minSeconds = 1.5
/** A larger change would be that of a model which hardly speaks. */
const maxDecibels = 20

const schema = z.object({ lufs: z.record(z.string(), z.number().min(-70).max(0)) })

/** The text of languages without one of their own: a model of any language can speak digits. They are louder than sentences. */
const digits = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.'

/**
 * The text that a voice speaks once to be measured, about 12 s: as loud as many sentences, to within 0.3 LU, as six built-in
 * English voices say it.
 * @param langCode such as `DE_DE`; `AUTO` if the voice speaks several languages, of which English is one.
 */
export function measuringText(langCode: string): string {
  const language = langCode === 'AUTO' ? 'en' : languageOf(langCode)
  return (texts as Readonly<Record<string, string>>)[language] ?? digits
}

/** How loud the voices of a model are, measured once and kept beside the model. */
export interface ModelLoudness {
  /** @returns the factor that brings a voice to the loudness of all voices; `undefined` if it is not measured. */
  gainOf(voice: string): number | undefined
  /** Measures the sound of a voice, and keeps the figure if there is enough sound. */
  keep(voice: string, pieces: readonly Float32Array[], sampleRateHertz: number): Promise<void>
}

/** @param folder of the model. If it cannot be written, the voices are measured again at each start. */
export async function openLoudness(folder: string): Promise<ModelLoudness> {
  const path = join(folder, fileName)
  const text = await readTextFile(path, maxFileBytes).catch(() => '')
  const lufs = { ...schema.safeParse(parseJson(text)).data?.lufs }
  return {
    gainOf(voice) {
      const measured = lufs[voice]
      if (measured === undefined) return undefined
      const decibels = Math.max(-maxDecibels, Math.min(maxDecibels, commonLufs - measured))
      return 10 ** (decibels / 20)
    },
    async keep(voice, pieces, sampleRateHertz) {
      const samples = joinSamples(pieces)
      if (samples.length < minSeconds * sampleRateHertz) return
      const measured = integratedLoudness(samples, sampleRateHertz)
      if (!Number.isFinite(measured)) return
      lufs[voice] = Number(measured.toFixed(2))
      await writeFile(path, `${JSON.stringify({ lufs })}\n`).catch(() => {})
    },
  }
}
