import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { wordsOf } from '@parlando/test-support/audio/compare-words'
import { joinRecordings } from '@parlando/test-support/audio/human-voices'

/** What a person says in a recording of a Debian package. */
export interface PersonRecording {
  /** WAV or G.722. */
  path: string
  text: string
}

const readers = '/usr/share/pocketsphinx/test/data'
const prompts = '/usr/share/asterisk/sounds/en_US_f_Allison'
const promptTexts = '/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz'

/** What tests with these recordings need. */
export const peoplePrograms = [
  'ffmpeg',
  'pocketsphinx_continuous',
  '/usr/share/pocketsphinx/model/en-us',
  readers,
  prompts,
  promptTexts,
] as const

/** Two men, one of whom reads a book; the other one names playing cards. */
export function listReaders(): PersonRecording[] {
  return ['librivox/transcription', 'cards/cards.transcription'].flatMap((list) => {
    const path = join(readers, list)
    const lines = readFileSync(path, 'utf8').matchAll(/<s>([^<]*)<\/s> \(([^)]*)\)/g)
    return [...lines].map(([, text = '', name]) => {
      return { path: join(path, '..', `${name}.wav`), text: text.trim() }
    })
  })
}

const maxWords = 25

/** The sentences of a woman on a telephone line. */
export function listPrompts(): PersonRecording[] {
  const lines = gunzipSync(readFileSync(promptTexts)).toString().split('\n')
  return lines.flatMap((line) => {
    const [, name, text = ''] = /^([\w-]+): (.+)$/.exec(line) ?? []
    const path = join(prompts, `${name}.g722`)
    const words = wordsOf(text).length
    // Texts with digits, and descriptions of sounds in brackets, are not the words that she says.
    const isSentence = words >= 4 && words <= maxWords && !/[\d[\]*]/.test(text)
    return isSentence && existsSync(path) ? [{ path, text }] : []
  })
}

/** @returns this many of the items, from all parts of the list. */
export function sample<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  const places = Array.from({ length: Math.min(count, items.length) }, (_, index) => index * step)
  return places.map((place) => items[Math.floor(place)]!)
}

/** @returns a WAV file of 16 kHz. */
export function toWav({ path }: PersonRecording): Buffer {
  return path.endsWith('.wav') ? readFileSync(path) : joinRecordings([path], 'wav', 60)
}
