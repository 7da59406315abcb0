import { join } from 'node:path'
import type { RecognisedWord } from '../recogniser.ts'
import { britishPronunciations } from './british-pronunciations.ts'
import { accessCepstralMean, type CepstralMean } from './cepstral-mean.ts'
import type { NativeFunction, PocketsphinxLibrary } from './pocketsphinx-library.ts'
import { writeSentenceGraph } from './sentence-graph.ts'

/** Recognises one utterance at a time, in another thread. */
export interface PocketsphinxDecoder {
  /** @returns the sounds of a word, such as `D AO R`; undefined if the dictionary does not contain it. */
  lookUp(word: string): string | undefined
  /** Replaces the sentences. @param graph a finite state graph in the text format of sphinxbase. */
  setSentences(graph: string): void
  /** @param mean of the same speech, if it was measured before. Default: that of a new decoder. */
  start(search: Search, mean?: CepstralMean): void
  process(samples: Int16Array): Promise<void>
  /** Processes a whole utterance, whose result then does not depend on earlier utterances. */
  processWhole(samples: Int16Array): Promise<void>
  end(): Promise<void>
  /** The text so far; final after the end. */
  readonly text: string
  /** Valid after the end: how well the sounds and the words fit together. Only utterances of the same samples compare. */
  readonly score: number
  /** Valid after the end: measured in the utterance. */
  readonly mean: CepstralMean
  /** The length of the utterance so far, in frames of 10 ms. */
  readonly frames: number
  /** Valid after the end. Times count from the start of the utterance. */
  readWords(): RecognisedWord[]
  /** Frees the memory. */
  close(): void
}

/**
 * What an utterance may contain: any words of the language, one of the sentences, or any sounds of the language. A
 * `measurement` only measures the voice and the microphone.
 */
export type Search = 'words' | 'measurement' | 'sentences' | 'sounds'

/** Settings of the library. */
export type DecoderSettings = Readonly<Record<string, string>>

const framesPerSecond = 100

const commonSettings = {
  // The turn detector has removed the silence around the utterance. If pocketsphinx removed more in the middle, the times
  // of all words would be late.
  '-remove_silence': 'no',
  // Utterances that arrive in pieces use the mean that they start with anyway; whole ones use their own.
  '-cmn': 'batch',
  // The log quotes what was said.
  '-logfn': '/dev/null',
}

/** Without the second search of the whole utterance, the text is ready 20 ms after its end instead of 100 to 200 ms. */
export const urgentSettings = { '-fwdflat': 'no' }

/**
 * For more speakers than cores. They take less than half of the processor time of the urgent settings; of a hundred words, two more
 * are wrong.
 */
export const quickSettings = { ...urgentSettings, '-ds': '2', '-maxhmmpf': '3000' }

const sentenceSettings = {
  // Otherwise, pocketsphinx scores only the sounds that a search considers, relative to the best of these, and the scores of
  // two searches do not compare. The search for words would take a third longer.
  '-compallsen': 'yes',
  '-allphone_ci': 'yes',
  // Sentences are few, so a wide search costs little. The default search gives up some of them too early.
  '-beam': '1e-80',
  '-wbeam': '1e-60',
  '-pbeam': '1e-80',
}

/**
 * Creates a decoder for the search of any words. Takes 80 MB of memory, because each decoder has a language model of its own:
 * decoders that share one crash when they run in parallel threads.
 */
export async function createWordDecoder(
  library: PocketsphinxLibrary,
  model: string,
  settings: DecoderSettings = {},
): Promise<PocketsphinxDecoder> {
  const pointer = await initialiseInThread(library, model, settings)
  const languageModel = join(model, 'en-us.lm.bin')
  const setLanguageModel = toAsync(library.ps_set_lm_file)
  check(await setLanguageModel(pointer, 'words', languageModel), 'its language model')
  // A decoder measures only while it searches. The search for one word takes next to no time.
  setGraph(library, pointer, 'measurement', writeSentenceGraph([['a']]))
  return createDecoder(library, pointer)
}

/** Creates a decoder for the searches of sentences and sounds. Takes 30 MB of memory. */
export async function createSentenceDecoder(
  library: PocketsphinxLibrary,
  model: string,
): Promise<PocketsphinxDecoder> {
  const pointer = await initialiseInThread(library, model, sentenceSettings)
  for (const [word, sounds] of britishPronunciations)
    addPronunciation(library, pointer, word, sounds)
  const soundModel = join(model, 'en-us-phone.lm.bin')
  check(library.ps_set_allphone_file(pointer, 'sounds', soundModel), 'its model of sounds')
  return createDecoder(library, pointer)
}

/**
 * Creates a decoder of the library without a search.
 * @param settings of the library, in addition to those that all decoders have.
 * @throws {Error} if the model cannot be read.
 */
export function initialise(
  library: PocketsphinxLibrary,
  model: string,
  settings: DecoderSettings,
): unknown {
  return requireModel(library.ps_init(configure(library, model, settings)), model)
}

async function initialiseInThread(
  library: PocketsphinxLibrary,
  model: string,
  settings: DecoderSettings,
): Promise<unknown> {
  const config = configure(library, model, settings)
  return requireModel(await toAsync(library.ps_init)(config), model)
}

function configure(library: PocketsphinxLibrary, model: string, settings: DecoderSettings) {
  const all = {
    '-hmm': join(model, 'en-us'),
    '-dict': join(model, 'cmudict-en-us.dict'),
    ...commonSettings,
    ...settings,
  }
  const values = Object.entries(all).flatMap(([name, value]) => ['string', name, 'string', value])
  return requireModel(
    library.cmd_ln_init(null, library.ps_args(), 1, ...values, 'void *', null),
    model,
  )
}

/** @returns a pointer that the library has created from the model. */
function requireModel(pointer: unknown, model: string): unknown {
  if (!pointer) throw new Error(`the model in ${model} cannot be read`)
  return pointer
}

function createDecoder(library: PocketsphinxLibrary, pointer: unknown): PocketsphinxDecoder {
  const logmath = library.ps_get_logmath(pointer)
  const cepstralMean = accessCepstralMean(library, pointer)
  const initialMean = cepstralMean.read()
  const processRaw = toAsync(library.ps_process_raw)
  const endUtterance = toAsync(library.ps_end_utt)
  return {
    lookUp: (word) => lookUp(library, pointer, word),
    setSentences: (graph) => setGraph(library, pointer, 'sentences', graph),
    start(search, mean = initialMean) {
      cepstralMean.write(mean)
      check(library.ps_set_search(pointer, search), 'the search')
      // Without this call, the times of words would count from the first utterance on.
      library.ps_start_stream(pointer)
      check(library.ps_start_utt(pointer), 'the utterance')
    },
    async process(samples) {
      check(await processRaw(pointer, samples, samples.length, 0, 0), 'the samples')
    },
    async processWhole(samples) {
      check(await processRaw(pointer, samples, samples.length, 0, 1), 'the samples')
    },
    async end() {
      check(await endUtterance(pointer), 'the end of the utterance')
    },
    get text() {
      return (library.ps_get_hyp(pointer, [0]) as string | null) ?? ''
    },
    get score() {
      const score = [0]
      library.ps_get_hyp(pointer, score)
      return score[0]!
    },
    get mean() {
      return cepstralMean.read()
    },
    get frames() {
      return library.ps_get_n_frames(pointer) as number
    },
    readWords: () => readWords(library, pointer, logmath),
    close: () => void library.ps_free(pointer),
  }
}

/** @returns the sounds of a word, see {@link PocketsphinxDecoder.lookUp}. */
export function lookUp(
  library: PocketsphinxLibrary,
  pointer: unknown,
  word: string,
): string | undefined {
  const sounds = library.ps_lookup_word(pointer, word)
  if (!sounds) return undefined
  const text = library.readText(sounds)
  library.free(sounds)
  return text
}

/** Adds a way to say a word that the dictionary contains. */
function addPronunciation(
  library: PocketsphinxLibrary,
  pointer: unknown,
  word: string,
  sounds: string,
): void {
  // The dictionary has those of a word as read, read(2), read(3).
  let number = 2
  while (lookUp(library, pointer, `${word}(${number})`)) number += 1
  check(library.ps_add_word(pointer, `${word}(${number})`, sounds, 0), `the word ${word}`)
}

function setGraph(
  library: PocketsphinxLibrary,
  pointer: unknown,
  search: Search,
  graph: string,
): void {
  const text = Buffer.from(graph)
  const file = library.fmemopen(text, text.length, 'r')
  // Without weight, the score of a sentence does not depend on the number of the others.
  const model = library.fsg_model_read(file, library.ps_get_logmath(pointer), 0)
  library.fclose(file)
  if (!model) throw new Error('pocketsphinx cannot read the sentences')
  const result = library.ps_set_fsg(pointer, search, model)
  library.fsg_model_free(model)
  check(result, 'the sentences')
}

function readWords(
  library: PocketsphinxLibrary,
  pointer: unknown,
  logmath: unknown,
): RecognisedWord[] {
  const words: RecognisedWord[] = []
  for (
    let segment = library.ps_seg_iter(pointer);
    segment;
    segment = library.ps_seg_next(segment)
  ) {
    const name = library.ps_seg_word(segment) as string
    // Silence and noise: <s>, <sil>, [NOISE], ++NOISE++.
    if (/^[<[+]/.test(name)) continue
    const first = [0]
    const last = [0]
    library.ps_seg_frames(segment, first, last)
    const logarithm = library.ps_seg_prob(segment, null, null, null)
    words.push({
      // A second pronunciation of a word: read(2).
      text: name.replace(/\(\d+\)$/, ''),
      startSeconds: first[0]! / framesPerSecond,
      endSeconds: (last[0]! + 1) / framesPerSecond,
      confidence: library.logmath_exp(logmath, logarithm) as number,
    })
  }
  return words
}

/** Calls a function in another thread. */
function toAsync(call: NativeFunction): (...values: unknown[]) => Promise<unknown> {
  return (...values) =>
    new Promise((resolve, reject) => {
      call.async(...values, (error: Error | null, result: unknown) => {
        if (error) reject(error)
        else resolve(result)
      })
    })
}

function check(result: unknown, what: string): void {
  if (typeof result !== 'number' || result < 0) throw new Error(`pocketsphinx rejects ${what}`)
}
