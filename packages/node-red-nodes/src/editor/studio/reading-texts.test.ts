import { join } from 'node:path'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { beforeAll, describe, expect, it } from 'vitest'
import { spokenWords } from '../../runtime/spoken-words.ts'

interface EspeakEvent {
  type: string
  id: string | number
  audio_position: number
}
interface EspeakWorker {
  set_voice(name: string): number
  synthesize(text: string, callback: (pcm: unknown, events: EspeakEvent[]) => boolean): void
}

/** The sounds of each language as espeak-ng writes them, without stress. It cannot read Japanese characters. */
const sounds = {
  de: 'p b t d k ɡ f v s z ʃ ç x h m n ŋ l r j pf ts iː ɪ yː ʏ eː ɛ øː œ ə uː ʊ oː ɔ ɑː a aɪ aʊ ɔø',
  en: 'p b t d k ɡ f v θ ð s z ʃ ʒ h tʃ dʒ m n ŋ l ɹ j w ɪ i ɛ æ ɑːɹ ɔː ɔ ʊ uː ʌ ə ɜː eɪ aɪ ɔɪ aʊ oʊ',
  es: 'p β t d ð k ɡ ɣ f θ s x tʃ m n ɲ ŋ l ʎ ɾ r j w i e a o u',
  fr: 'p b t d k ɡ f v s z ʃ ʒ m n ɲ l ʁ j y- w i y u e ø o ɛ œ ɔ a ɑ̃ ɛ̃ ɔ̃ œ̃',
  zh: 'p ph m f t th n l k kh χ tɕ tɕh ɕ ts.h s. ʐ ts tsh s a ai ei ɑu ə ər o- u uə y i ŋ',
}
const voices: Record<string, string> = { en: 'en-us', zh: 'cmn' }

let worker: EspeakWorker
beforeAll(async () => {
  const folder = join(optionalEnginesFolder, 'node_modules/@echogarden/espeak-ng-emscripten')
  const { default: createModule } = await import(join(folder, 'espeak-ng.js'))
  const { eSpeakNGWorker } = await createModule({ print() {}, printErr() {} })
  worker = new eSpeakNGWorker()
})

describe.each(Object.keys(sounds) as (keyof typeof sounds)[])('the text to read in %s', (code) => {
  const heard = new Set<string>()
  let seconds = 0
  beforeAll(() => {
    expect(worker.set_voice(voices[code] ?? code)).toBe(0)
    worker.synthesize(spokenWords(code)!.reading, (_, events) => {
      for (const { type, id, audio_position: atMs } of events) {
        if (type === 'phoneme') heard.add(String(id).replace(/[ˈˌ]/g, ''))
        seconds = Math.max(seconds, atMs / 1000)
      }
      return false
    })
  })

  it('contains the sounds of the language', () => {
    expect(sounds[code].split(' ').filter((sound) => !heard.has(sound))).toEqual([])
  })

  it('takes about as long as the best recording', () => {
    expect(seconds).toBeGreaterThan(7)
    expect(seconds).toBeLessThan(17)
  })
})
