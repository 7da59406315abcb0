import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cleanTranscript, cleanWords } from '../clean-transcript.ts'
import { type ProgramUtterance, runRecogniserProgram } from '../process/program.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recogniser.ts'
import type {
  RecognizerConfig,
  SherpaModel,
  SherpaPackage,
  SherpaResult,
} from './sherpa-package.ts'
import { loadStreamingModel } from './streaming-model.ts'
import { loadWholeModel } from './whole-model.ts'
import { toWords } from './words.ts'

/** The model, as the parent describes it in an argument of this program. */
export interface SherpaConfig extends RecognizerConfig {
  isStreaming: boolean
}

/** A request of the recogniser to this program. */
export interface SherpaStart {
  withWords: boolean
  withInterim: boolean
  /** Such as `en`. */
  language?: string
}

const [packagePath = '', configText = ''] = process.argv.slice(2)

await runRecogniserProgram<undefined, SherpaStart>(async () => {
  const sherpa = createRequire(import.meta.url)(packagePath) as SherpaPackage
  const { isStreaming, ...config } = JSON.parse(configText) as SherpaConfig
  const model = isStreaming
    ? loadStreamingModel(sherpa, config)
    : await loadWholeModel(sherpa, config)
  const isCapital = hasCapitalsOnly(readFileSync(config.modelConfig.tokens, 'utf8'))
  const toCase = (text: string) => (isCapital ? text.toLowerCase() : text)
  return { info: undefined, open: (start) => openUtterance(model, start, toCase) }
})

async function openUtterance(
  model: SherpaModel,
  { withWords, withInterim, language }: SherpaStart,
  toCase: (text: string) => string,
): Promise<ProgramUtterance> {
  const utterance = await model.open(language)
  let samplesTaken = 0
  return {
    write(samples) {
      samplesTaken += samples.length
      const text = utterance.write(samples)
      return withInterim && text ? toCase(text.trim()) : undefined
    },
    async end() {
      const result = await utterance.end()
      return readResult(result, { withWords, toCase, seconds: samplesTaken / recogniserRateHertz })
    },
    cancel() {},
  }
}

function readResult(
  result: SherpaResult,
  options: { withWords: boolean; toCase(text: string): string; seconds: number },
): RecognisedUtterance {
  const { withWords, toCase, seconds } = options
  const cleaned = cleanTranscript(result.text)
  const words = withWords && cleaned ? toWords(result, seconds) : undefined
  const kept = words && cleanWords(words, { text: result.text, cleaned })
  return {
    text: toCase(cleaned),
    ...(kept && { words: kept.map((word) => ({ ...word, text: toCase(word.text) })) }),
  }
}

/** The output of many models has capital letters only, which is hard to read. */
function hasCapitalsOnly(tokens: string): boolean {
  const letters = tokens.replace(/^<.*$/gm, '')
  return /\p{Lu}/u.test(letters) && !/\p{Ll}/u.test(letters)
}
