import { isLoud, levelBytes, pcmLevelDb } from './level.ts'
import { bytesPerSecond } from './microphone-recording.ts'

/** A click is shorter than this many levels. */
const minSpeechLevels = 6
/** The other microphones hear the same word this much later, or through a slower network. */
const decideAfterMs = 250
/** What is kept of each microphone until one is chosen: a word begins before it is loud. */
const keptBytes = 4 * bytesPerSecond

/** @typeParam Id tells the microphones apart. */
export interface BestMicrophoneOptions<Id> {
  /** Receives the sound of the microphone that hears best. */
  onPcm(pcm: Buffer, id: Id): void
  /** Called once, and again after `chooseAgain`. */
  onChosen(id: Id): void
}

/**
 * Chooses the one of several microphones that hears somebody best: the one whose speech stands out most from its own noise,
 * since each has a gain of its own. A single microphone passes its sound on at once.
 */
export function createBestMicrophone<Id>({ onPcm, onChosen }: BestMicrophoneOptions<Id>) {
  const sources = new Map<Id, Source>()
  let chosen: Id | undefined
  let timer: NodeJS.Timeout | undefined

  const choose = () => {
    timer = undefined
    const [best] = [...sources].sort(([, one], [, other]) => other.clarityDb - one.clarityDb)
    if (!best) return
    const [id, { kept }] = best
    chosen = id
    for (const pcm of kept) onPcm(pcm, id)
    sources.clear()
    onChosen(id)
  }
  const push = (id: Id, pcm: Buffer) => {
    if (chosen !== undefined) return id === chosen ? onPcm(pcm, id) : undefined
    const source = sources.get(id) ?? createSource()
    sources.set(id, source)
    source.take(pcm)
    if (sources.size === 1) {
      // There is more than this if the others have just left.
      for (const one of source.kept) onPcm(one, id)
      source.forget()
    }
    if (source.isSpeech) timer ??= setTimeout(choose, sources.size === 1 ? 0 : decideAfterMs)
  }
  const chooseAgain = () => {
    clearTimeout(timer)
    chosen = undefined
    timer = undefined
  }
  return {
    push,
    /** Other microphones take part from now on. */
    chooseAgain,
    /** A microphone is gone. Another one may be chosen in its place. */
    leave(id: Id) {
      sources.delete(id)
      if (id === chosen) chooseAgain()
    },
    close: () => clearTimeout(timer),
  }
}

interface Source {
  kept: Buffer[]
  /** How much louder the speech is than the noise. */
  clarityDb: number
  isSpeech: boolean
  take(pcm: Buffer): void
  /** Its sound was passed on. */
  forget(): void
}

function createSource(): Source {
  let noiseDb = Number.POSITIVE_INFINITY
  let loudLevels = 0
  let bytes = 0
  const source: Source = {
    kept: [],
    clarityDb: 0,
    isSpeech: false,
    take(pcm) {
      source.kept.push(pcm)
      bytes += pcm.length
      while (bytes > keptBytes) bytes -= source.kept.shift()!.length
      for (let at = 0; at + levelBytes <= pcm.length; at += levelBytes) {
        const level = pcmLevelDb(pcm.subarray(at, at + levelBytes))
        noiseDb = Math.min(noiseDb, level)
        if (isLoud(level, noiseDb)) {
          loudLevels += 1
          source.clarityDb = Math.max(source.clarityDb, level - noiseDb)
        } else loudLevels = Math.max(0, loudLevels - 1)
        if (loudLevels >= minSpeechLevels) source.isSpeech = true
      }
    },
    forget() {
      source.kept.length = 0
      bytes = 0
    },
  }
  return source
}
