import { hasSpeakable } from '@parlando/core/text'

/** @returns why no voice can speak a text without letters and digits, or `undefined` if the text has one. */
export function silentTextReason(text: string): string | undefined {
  return hasSpeakable(text)
    ? undefined
    : 'There is nothing to speak: the text contains no letter and no digit'
}
