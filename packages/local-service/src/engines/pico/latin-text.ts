import { plainText } from '../english-text.ts'

/** What Pico reads: ASCII without the beginning of a command, and the letters of Western Europe. */
const foreign = /[^\x20-;=?-~À-ÖØ-öø-ÿœŒ]+/gu

/** Replaces characters with their names or the nearest ones that Pico reads, because it drops all others. */
export function latinText(text: string): string {
  return text
    .normalize('NFC')
    .replace(foreign, (run) => plainText(run).replace(/[<>]/g, '') || ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
