import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { removedModelError } from '../../errors/removed-model-error.ts'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { findMachineClass } from '../../machine/machine-class.ts'
import { freeMemory } from '../../machine/resources.ts'
import type { HibariModel } from '../../models/hibari/hibari-models.ts'
import { installFolderOf } from '../../models/install/install-record.ts'
import { numbersInWords } from '../../text/spell-out/english/number-words.ts'
import type { SpelledWord } from '../../text/spell-out/word.ts'
import { defineEngine } from '../define-engine.ts'
import type { Engine, SpokenWord } from '../engine.ts'
import {
  plainText,
  skippedCharacters,
  spellOutEnglish,
  unsupportedReason,
  wordsAsWritten,
} from '../english-text.ts'
import { measuringText, openLoudness } from '../model-loudness.ts'
import { SpeakingThread } from '../threads/speaking-thread.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { findUnfitReason } from './fit.ts'
import type { SpokenPiece, WordTimes } from './generate-speech.ts'
import type { HibariPhrase } from './hibari-worker.ts'
import { builtInVoice, findInstalled, speakerOfVoice, weightsOfHeart } from './ready-voices.ts'
import { sampleRateHertz } from './vocoder.ts'

const maxIdleMs = 10 * 60_000
// A sentence in two phrases sounds like two. The start of a phrase takes 0.5 ms for each letter, its end is made meanwhile.
const natural = { firstCharacters: 70, laterCharacters: 120 }
const fast = { firstCharacters: 20, laterCharacters: 120 }
const phraseLimitsOfModel = {
  'svc-tts-2': natural,
  'svc-tts-1.5-max': natural,
  'svc-tts-2-flash': fast,
  'svc-tts-1.5-mini': fast,
}
/** One speaks for a dozen listeners at a time. Each takes 60 MiB, with what Node.js itself needs. */
const maxThreads = 2

/** Natural voices of small networks. The first one is data of a package of its own, the others can be installed. */
export const hibari = defineEngine({
  name: 'hibari',
  options: {},
  start: ({ dataFolder }) =>
    createHibariEngine({ dataFolder, modelsFolder: dataFolder && installFolderOf(dataFolder) }),
  refresh: async (engine) => engine.refresh?.(),
})

export interface HibariOptions {
  /** Where the speed of the machine is kept. Default: it is not measured. */
  dataFolder?: string | undefined
  /** The folder with installed voices. Default: none. */
  modelsFolder?: string | undefined
}

/**
 * Hibari: voices of 6 million weights, distilled from Kokoro-82M (Apache-2.0). The networks are written down here, instead of
 * being run by a general library: its memory would be three times as large, and a phrase could not be heard before its end is
 * made. Without the package of voices, the engine has none.
 */
export async function createHibariEngine({
  dataFolder,
  modelsFolder,
}: HibariOptions): Promise<Engine> {
  const folder = findBuiltInData()
  const slots = Math.min(maxThreads, Math.max(1, availableParallelism() - 1))
  const pool = startPool(folder, slots)
  const notDefaultReason = folder && (await findReason(pool, folder, dataFolder))
  const findVoices = async () =>
    folder ? [builtInVoice(folder, notDefaultReason), ...(await findInstalled(modelsFolder))] : []
  let voices = await findVoices()
  const find = (name: string) => voices.find((voice) => voice.name === name)
  return {
    name: 'hibari',
    sampleRateHertz,
    get voices() {
      return voices.map(({ weights: _weights, gain: _gain, accent: _accent, ...voice }) => voice)
    },
    slots,
    interruption: 'free',
    phraseLimitsOfModel,
    timesWords: true,
    unsupportedReason,
    skippedCharacters,
    get threads() {
      return { alive: pool.alive, replaced: pool.replaced }
    },
    // The lists know "eh", which sounds like the letter.
    spellOut: (sentence, voice, before) =>
      spellOutEnglish(sentence, {
        dayFirst: find(voice)?.accent === 'british',
        before,
        letterA: 'eh',
      }),
    async speakPhrase({ voice: name, text, words, withWords, onSound, signal, rank }) {
      const voice = find(name)
      if (!voice) throw removedModelError(`The voice ${name}`, 'voice')
      const { weights, accent, gain } = voice
      const spoken = (words ?? wordsAsWritten(text)).map(withoutDigits)
      const passOn = ({ samples: made, times }: SpokenPiece) => {
        if (signal.aborted) return
        const samples = gain === 1 ? made : made.map((sample) => sample * gain)
        onSound(times && withWords ? { samples, words: nameWords(spoken, times) } : { samples })
      }
      const phrase = { weights, accent, text: textOf(spoken) }
      await pool.run({ phrase, onSound: passOn, signal, rank })
      signal.throwIfAborted()
    },
    async refresh() {
      voices = await findVoices()
    },
    close: () => pool.close(),
  }
}

type Pool = ThreadPool<HibariPhrase, SpokenPiece>

function startPool(folder: string | undefined, maxThreads: number): Pool {
  return new ThreadPool({
    start: () =>
      new SpeakingThread({
        program: 'hibari-worker',
        data: folder,
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
      }),
    maxThreads,
    maxIdleMs,
    canInterrupt: true,
  })
}

/**
 * Speaks once with an installed voice, and keeps beside it how loud it is.
 * @throws {Error} if it cannot speak.
 */
export async function tryHibariModel({ name, folder }: HibariModel): Promise<void> {
  const engine = await createHibariEngine({ modelsFolder: dirname(folder) })
  const pieces: Float32Array[] = []
  try {
    await engine.speakPhrase({
      voice: name,
      text: measuringText('EN_US'),
      modelId: 'svc-tts-2',
      withWords: false,
      signal: new AbortController().signal,
      onSound: ({ samples }) => pieces.push(samples),
    })
  } finally {
    await engine.close()
  }
  await (await openLoudness(folder)).keep(speakerOfVoice, pieces, sampleRateHertz)
}

/** Why no voice of the engine is a default one on this machine. */
async function findReason(
  pool: Pool,
  folder: string,
  dataFolder: string | undefined,
): Promise<string | undefined> {
  const { signal } = new AbortController()
  const speed = await findMachineClass()
  return findUnfitReason({
    freeBytes: freeMemory(),
    speed,
    dataFolder,
    async measure() {
      const startedAt = performance.now()
      let samples = 0
      const text = 'Good morning.'
      const phrase = { weights: weightsOfHeart(folder), accent: 'american' as const, text }
      const onSound = (piece: SpokenPiece) => {
        samples += piece.samples.length
      }
      await pool.run({ phrase, onSound, signal })
      return (performance.now() - startedAt) / 1000 / (samples / sampleRateHertz)
    },
  })
}

/** Spells out the digits of a word that was too long to be spelled out as a whole: the networks know no digits. */
const withoutDigits = (word: SpelledWord): SpelledWord =>
  /\d/.test(word.spoken) ? { ...word, spoken: numbersInWords(word.spoken) } : word

const textOf = (words: readonly SpelledWord[]) =>
  words.map(({ spoken }) => plainText(spoken)).join(' ')

/** @returns each word as written, from the first to the last of the words that are spoken for it. */
function nameWords(spelled: readonly SpelledWord[], times: readonly WordTimes[]): SpokenWord[] {
  let from = 0
  return spelled.flatMap(({ written, spoken }) => {
    const to = from + spoken.split(/\s+/).filter((part) => part !== '').length
    const own = times.filter(({ place }) => place >= from && place < to)
    from = to
    const [first] = own
    // A long word without its written form began in an earlier phrase.
    if (!first || written === '') return []
    return [{ text: written, startSeconds: first.startSeconds, endSeconds: own.at(-1)!.endSeconds }]
  })
}
