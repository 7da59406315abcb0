/** Several microphones hear the same wake word within this time: their networks and buffers differ. */
const sameUtteranceMs = 1000

/** The last microphone that has heard each phrase, of all nodes of this Node-RED. */
const heard = new Map<string, { microphone: object; atMs: number }>()
/** More phrases than anybody has microphones for. The oldest one is forgotten. */
const maxPhrases = 100

/**
 * Decides which microphone responds when several hear the same wake word: the first one.
 * @param microphone identifies the one that has heard the phrase now.
 */
export function isFirstToHear(microphone: object, phrase: string): boolean {
  const atMs = performance.now()
  const last = heard.get(phrase)
  if (last && last.microphone !== microphone && atMs - last.atMs <= sameUtteranceMs) return false
  // Again at the end of the map, whose order is that of the additions.
  heard.delete(phrase)
  heard.set(phrase, { microphone, atMs })
  if (heard.size > maxPhrases) heard.delete(heard.keys().next().value!)
  return true
}
