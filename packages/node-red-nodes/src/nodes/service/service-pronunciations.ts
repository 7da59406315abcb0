import { type Pronunciation, Pronunciations, pronounce } from '@parlando/core/text'
import { isPhonetic, readPronunciations } from '../../runtime/speech/pronunciation-list.ts'

/** How a service says words and names. */
export interface ServicePronunciations {
  /** What the client applies. */
  entries: readonly Pronunciation[]
  /** @returns the text that the client sends. */
  pronounce(text: string): string
  /** @returns a text that the voices of this device say in the same way. */
  respell(text: string): string
}

/** @param saved the list of the form. */
export function readServicePronunciations(
  saved: unknown,
  isOnDevice: boolean,
): ServicePronunciations {
  const all = readPronunciations(saved)
  const readable = all.filter(({ sayAs }) => !isPhonetic(sayAs))
  const entries = isOnDevice ? readable : all
  const list = new Pronunciations(entries)
  const respellings = new Pronunciations(readable)
  return {
    entries,
    pronounce: (text) => pronounce(list, text),
    respell: (text) => pronounce(respellings, text),
  }
}
