import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PocketsphinxFiles } from '../../recognisers/pocketsphinx/find-pocketsphinx.ts'
import { initialise, lookUp } from '../../recognisers/pocketsphinx/pocketsphinx-decoder.ts'
import {
  loadPocketsphinx,
  type PocketsphinxLibrary,
} from '../../recognisers/pocketsphinx/pocketsphinx-library.ts'
import { type ProgramStream, runDetectorProgram } from '../process/run-detector.ts'
import {
  type PhraseSearch,
  type WakeWordDetection,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import { type KnownPhrase, readPhrases, toKeyphraseList, toScore } from './keyphrases.ts'

const searchName = 'wake words'
const frameMs = 10
const samplesPerMs = wakeWordRateHertz / 1000

const [filesText = ''] = process.argv.slice(2)

await runDetectorProgram<PhraseSearch>(async () => {
  const files = JSON.parse(filesText) as PocketsphinxFiles
  const library = loadPocketsphinx(files)
  // Loading the dictionary takes 0.2 s, so closed streams leave their decoder to new ones. The first one shows that the model
  // can be read.
  const idle = [createPhraseDecoder(library, files.model)]
  return (search) => {
    const decoder = idle.pop() ?? createPhraseDecoder(library, files.model)
    try {
      return openStream(library, decoder, search, () => void idle.push(decoder))
    } catch (error) {
      idle.push(decoder)
      throw error
    }
  }
})

/** Takes 28 MB. */
function createPhraseDecoder(library: PocketsphinxLibrary, model: string): unknown {
  // A stream lasts for hours, so the mean of its sound can follow the microphone and the room.
  return initialise(library, model, { '-cmn': 'live' })
}

function openStream(
  library: PocketsphinxLibrary,
  decoder: unknown,
  { phrases, sensitivity }: PhraseSearch,
  release: () => void,
): ProgramStream {
  const known = readPhrases(phrases, (word) => lookUp(library, decoder, word))
  setPhrases(library, decoder, toKeyphraseList(known, sensitivity))
  const start = () => {
    // Without this call, times would count from the first utterance on.
    library.ps_start_stream(decoder)
    library.ps_start_utt(decoder)
  }
  start()
  let samplesTaken = 0
  const read = (): WakeWordDetection[] => {
    if (!library.ps_get_hyp(decoder, [0])) return []
    const frames = library.ps_get_n_frames(decoder) as number
    const found = readSegment(library, decoder, known)
    // The search would report the same phrase again.
    library.ps_end_utt(decoder)
    start()
    if (!found) return []
    const endMs = samplesTaken / samplesPerMs - frameMs * (frames - found.endFrame)
    return [{ phrase: found.phrase, score: found.score, endMs: Math.max(0, Math.round(endMs)) }]
  }
  const push = (samples: Int16Array) => {
    samplesTaken += samples.length
    library.ps_process_raw(decoder, samples, samples.length, 0, 0)
    return read()
  }
  return {
    push,
    // The search waits a little whether the phrase fits even better a moment later.
    end: () => push(new Int16Array(wakeWordRateHertz / 2)),
    close() {
      library.ps_end_utt(decoder)
      release()
    },
  }
}

/** The library reads several phrases with their thresholds only from a file. */
function setPhrases(library: PocketsphinxLibrary, decoder: unknown, list: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-phrases-'))
  try {
    const path = join(folder, 'phrases')
    writeFileSync(path, list)
    const isSet = (library.ps_set_kws(decoder, searchName, path) as number) >= 0
    if (!isSet || (library.ps_set_search(decoder, searchName) as number) < 0) {
      throw new Error('pocketsphinx rejects the phrases')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readSegment(
  library: PocketsphinxLibrary,
  decoder: unknown,
  known: readonly KnownPhrase[],
) {
  const segment = library.ps_seg_iter(decoder)
  if (!segment) return undefined
  const words = (library.ps_seg_word(segment) as string).trim()
  const last = [0]
  library.ps_seg_frames(segment, [0], last)
  const advantage = library.ps_seg_prob(segment, null, null, null) as number
  // The others end here too, or the memory of each would leak.
  let next = library.ps_seg_next(segment)
  while (next) next = library.ps_seg_next(next)
  const phrase = known.find((each) => each.words === words)?.phrase
  return phrase === undefined
    ? undefined
    : { phrase, score: toScore(advantage), endFrame: last[0]! }
}
