/** Several microphones hear the same wake word within this time: their networks and buffers differ. */
const sameUtteranceMs = 1000
/** More phrases than anybody has microphones for. The oldest one is forgotten. */
const maxPhrases = 100

/**
 * @param microphone identifies the one that has heard the phrase now.
 * @returns whether it is the first of those that hear the same utterance.
 */
export type IsFirstToHear = (microphone: object, phrase: string) => boolean

/** Decides which of the microphones of a service responds when several hear the same wake word: the first one. */
export function createFirstToHear(): IsFirstToHear {
  /** The last microphone that has heard each phrase. */
  const heard = new Map<string, { microphone: object; atMs: number }>()
  return (microphone, phrase) => {
    const atMs = performance.now()
    const last = heard.get(phrase)
    if (last && last.microphone !== microphone && atMs - last.atMs <= sameUtteranceMs) return false
    // Again at the end of the map, whose order is that of the additions.
    heard.delete(phrase)
    heard.set(phrase, { microphone, atMs })
    if (heard.size > maxPhrases) heard.delete(heard.keys().next().value!)
    return true
  }
}
