import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RecognisedWord } from '../recogniser.ts'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'

/** The functions of koffi in use. */
interface Koffi {
  load(path: string): { func(declaration: string): NativeFunction }
  decode(pointer: unknown, type: 'char', length: number): string
}

interface NativeFunction {
  (...values: unknown[]): unknown
  /** Runs in another thread. The last argument receives an error and the result. */
  async(...values: unknown[]): void
}

/** Recognises one utterance at a time, in another thread. Takes 110 MB of memory. */
export interface Decoder {
  /** @returns the sounds of a word, such as `D AO R`; undefined if the dictionary does not contain it. */
  lookUp(word: string): string | undefined
  /** Replaces the sentences. @param graph a finite state graph in the text format of sphinxbase. */
  setSentences(graph: string): void
  start(search: Search): void
  process(samples: Int16Array): Promise<void>
  /** Processes a whole utterance, whose score then does not depend on earlier utterances. */
  processWhole(samples: Int16Array): Promise<void>
  end(): Promise<void>
  /** The text so far; final after the end. */
  readonly text: string
  /** Valid after the end: how well the sounds and the words fit together. Only utterances of the same samples compare. */
  readonly score: number
  /** Valid after the end. Times count from the start of the utterance. */
  readWords(): RecognisedWord[]
}

/** The words that an utterance may contain. */
export type Search = 'any-words' | 'sentences'

const framesPerSecond = 100

/** The width of the search for sentences. The default is 1e-48, 7e-29 and 1e-48. */
const sentenceBeams = { '-beam': 1e-80, '-wbeam': 1e-60, '-pbeam': 1e-80 }

/** Loads pocketsphinx into this process. @returns a function that creates decoders. */
export function openPocketsphinx(files: PocketsphinxFiles): () => Decoder {
  // Not the package koffi: it runs an install script, which would compile where this package does not exist.
  const koffi: Koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`)
  const functions = bindFunctions(koffi, files)
  return () => createDecoder(koffi, functions, files.model)
}

type Functions = ReturnType<typeof bindFunctions>

function bindFunctions(koffi: Koffi, { library, baseLibrary }: PocketsphinxFiles) {
  const base = koffi.load(baseLibrary)
  const sphinx = koffi.load(library)
  const system = koffi.load('libc.so.6')
  return {
    ps_args: sphinx.func('void *ps_args()'),
    cmd_ln_init: base.func('void *cmd_ln_init(void *, void *definitions, int strict, ...)'),
    cmd_ln_set_float_r: base.func(
      'void cmd_ln_set_float_r(void *, const char *name, double value)',
    ),
    ps_init: sphinx.func('void *ps_init(void *config)'),
    ps_get_logmath: sphinx.func('void *ps_get_logmath(void *)'),
    ps_set_lm_file: sphinx.func('int ps_set_lm_file(void *, const char *name, const char *path)'),
    ps_set_fsg: sphinx.func('int ps_set_fsg(void *, const char *name, void *graph)'),
    ps_set_search: sphinx.func('int ps_set_search(void *, const char *name)'),
    ps_lookup_word: sphinx.func('void *ps_lookup_word(void *, const char *word)'),
    ps_start_stream: sphinx.func('int ps_start_stream(void *)'),
    ps_start_utt: sphinx.func('int ps_start_utt(void *)'),
    ps_process_raw: sphinx.func(
      'int ps_process_raw(void *, const int16_t *samples, size_t length, int noSearch, int isWhole)',
    ),
    ps_end_utt: sphinx.func('int ps_end_utt(void *)'),
    ps_get_hyp: sphinx.func('const char *ps_get_hyp(void *, _Out_ int *score)'),
    ps_seg_iter: sphinx.func('void *ps_seg_iter(void *)'),
    ps_seg_next: sphinx.func('void *ps_seg_next(void *)'),
    ps_seg_word: sphinx.func('const char *ps_seg_word(void *)'),
    ps_seg_frames: sphinx.func('void ps_seg_frames(void *, _Out_ int *first, _Out_ int *last)'),
    ps_seg_prob: sphinx.func('int ps_seg_prob(void *, void *, void *, void *)'),
    logmath_exp: base.func('double logmath_exp(void *, int value)'),
    fsg_model_read: base.func('void *fsg_model_read(void *file, void *logmath, float weight)'),
    fsg_model_free: base.func('int fsg_model_free(void *)'),
    fmemopen: system.func('void *fmemopen(void *memory, size_t size, const char *mode)'),
    fclose: system.func('int fclose(void *)'),
    free: system.func('void free(void *)'),
  }
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

function createDecoder(koffi: Koffi, functions: Functions, model: string): Decoder {
  const settings = {
    '-hmm': join(model, 'en-us'),
    '-dict': join(model, 'cmudict-en-us.dict'),
    // The turn detector has removed the silence around the utterance. If pocketsphinx removed more in the middle, the times
    // of all words would be late.
    '-remove_silence': 'no',
    // Utterances that arrive in pieces use the mean of the latest utterances anyway; whole ones use their own.
    '-cmn': 'batch',
    // The log quotes what was said.
    '-logfn': '/dev/null',
  }
  const values = Object.entries(settings).flatMap(([name, value]) => {
    return ['string', name, 'string', value]
  })
  const config = functions.cmd_ln_init(null, functions.ps_args(), 1, ...values, 'void *', null)
  const pointer = config && functions.ps_init(config)
  if (!pointer) throw new Error(`the model in ${model} cannot be read`)
  // Each decoder has a language model of its own: decoders that share one crash when they run in parallel threads.
  const languageModel = join(model, 'en-us.lm.bin')
  check(functions.ps_set_lm_file(pointer, 'any-words', languageModel), 'its language model')
  // Sentences are few, so a wide search costs little. The default search gives up some of them too early.
  for (const [name, width] of Object.entries(sentenceBeams)) {
    functions.cmd_ln_set_float_r(config, name, width)
  }
  const logmath = functions.ps_get_logmath(pointer)
  const processRaw = toAsync(functions.ps_process_raw)
  const endUtterance = toAsync(functions.ps_end_utt)
  return {
    lookUp(word) {
      const sounds = functions.ps_lookup_word(pointer, word)
      if (!sounds) return undefined
      const text = koffi.decode(sounds, 'char', -1)
      functions.free(sounds)
      return text
    },
    setSentences(graph) {
      const text = Buffer.from(graph)
      const file = functions.fmemopen(text, text.length, 'r')
      // The weight of the language model: the default of pocketsphinx.
      const model = functions.fsg_model_read(file, logmath, 6.5)
      functions.fclose(file)
      if (!model) throw new Error('pocketsphinx cannot read the sentences')
      const result = functions.ps_set_fsg(pointer, 'sentences', model)
      functions.fsg_model_free(model)
      check(result, 'the sentences')
    },
    start(search) {
      check(functions.ps_set_search(pointer, search), 'the search')
      // Without this call, the times of words would count from the first utterance on.
      functions.ps_start_stream(pointer)
      check(functions.ps_start_utt(pointer), 'the utterance')
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
      return (functions.ps_get_hyp(pointer, [0]) as string | null) ?? ''
    },
    get score() {
      const score = [0]
      functions.ps_get_hyp(pointer, score)
      return score[0]!
    },
    readWords() {
      const words: RecognisedWord[] = []
      for (
        let segment = functions.ps_seg_iter(pointer);
        segment;
        segment = functions.ps_seg_next(segment)
      ) {
        const name = functions.ps_seg_word(segment) as string
        // Silence and noise: <s>, <sil>, [NOISE], ++NOISE++.
        if (/^[<[+]/.test(name)) continue
        const first = [0]
        const last = [0]
        functions.ps_seg_frames(segment, first, last)
        const logarithm = functions.ps_seg_prob(segment, null, null, null)
        words.push({
          // A second pronunciation of a word: read(2).
          text: name.replace(/\(\d+\)$/, ''),
          startSeconds: first[0]! / framesPerSecond,
          endSeconds: (last[0]! + 1) / framesPerSecond,
          confidence: functions.logmath_exp(logmath, logarithm) as number,
        })
      }
      return words
    },
  }
}
