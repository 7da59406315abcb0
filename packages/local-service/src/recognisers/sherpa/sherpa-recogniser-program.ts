import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanTranscript, cleanWords } from '../clean-transcript.ts'
import { type ProgramUtterance, runRecogniserProgram } from '../process/run-recogniser.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recogniser.ts'
import { readHeardLanguage } from '../whisper-languages.ts'
import { hasCapitalsOnly, readTokens, toHotwords, toVocabulary } from './hotwords.ts'
import type {
  RecognizerConfig,
  SherpaModel,
  SherpaPackage,
  SherpaResult,
  SherpaUtteranceOptions,
} from './sherpa-package.ts'
import { loadStreamingModel } from './streaming-model.ts'
import { toWords } from './to-words.ts'
import { toWholeModel } from './whole-model.ts'

/** The model, as the parent describes it in an argument of this program. */
export interface SherpaConfig extends RecognizerConfig {
  isStreaming: boolean
  takesPrompts: boolean
}

/** A request of the recogniser to this program. */
export interface SherpaStart {
  withWords: boolean
  withInterim: boolean
  /** A code such as `en`. */
  language?: string
  /** Expected words. */
  prompts: readonly string[]
}

export interface SherpaRecogniserInfo {
  /** The memory of the process when the model is loaded. */
  memoryBytes: number
}

const [packagePath = '', configText = ''] = process.argv.slice(2)

await runRecogniserProgram<SherpaRecogniserInfo, SherpaStart>(async () => {
  const sherpa = createRequire(import.meta.url)(packagePath) as SherpaPackage
  const { isStreaming, takesPrompts, ...config } = JSON.parse(configText) as SherpaConfig
  const tokens = readTokens(await readFile(config.modelConfig.tokens, 'utf8'))
  const vocabulary = takesPrompts ? toVocabulary(tokens) : undefined
  const model = await (isStreaming
    ? loadStreamingModel((changes) =>
        withVocabulary({ ...config, ...changes }, vocabulary, async (complete) => {
          return new sherpa.OnlineRecognizer(complete)
        }),
      )
    : withVocabulary(config, vocabulary, async (complete) =>
        toWholeModel(await sherpa.OfflineRecognizer.createAsync(complete), complete),
      ))
  const isCapital = hasCapitalsOnly(tokens)
  const toCase = (text: string) => (isCapital ? text.toLowerCase() : text)
  return {
    info: { memoryBytes: process.memoryUsage.rss() },
    open({ language, prompts, ...start }) {
      const hotwords = vocabulary ? toHotwords(prompts, tokens) : []
      return openUtterance(model, { ...start, language, hotwords }, toCase)
    },
  }
})

/** sherpa-onnx reads the vocabulary from a file, while it loads the model. */
async function withVocabulary<Result>(
  config: RecognizerConfig,
  vocabulary: string | undefined,
  load: (config: RecognizerConfig) => Promise<Result>,
): Promise<Result> {
  if (!vocabulary) return load(config)
  const folder = await mkdtemp(join(tmpdir(), 'parlando-vocabulary-'))
  try {
    const bpeVocab = join(folder, 'bpe.vocab')
    await writeFile(bpeVocab, vocabulary)
    const modelConfig = { ...config.modelConfig, modelingUnit: 'bpe' as const, bpeVocab }
    return await load({ ...config, modelConfig })
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function openUtterance(
  model: SherpaModel,
  { withWords, withInterim, ...options }: Omit<SherpaStart, 'prompts'> & SherpaUtteranceOptions,
  toCase: (text: string) => string,
): Promise<ProgramUtterance> {
  const utterance = await model.open(options)
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
  const language = readHeardLanguage(result.lang)
  return {
    text: toCase(cleaned),
    ...(language && { language }),
    ...(kept && { words: kept.map((word) => ({ ...word, text: toCase(word.text) })) }),
  }
}
