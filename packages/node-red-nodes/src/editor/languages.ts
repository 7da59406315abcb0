import { languageOf } from '@parlando/core/text'
import { RED } from './red.ts'

/** The name of `EN_US` in the language of the editor; the code itself if it has no name. `AUTO` means several languages. */
export function languageName(langCode: string, locale = RED.i18n.lang()): string {
  try {
    const names = new Intl.DisplayNames([locale], { type: 'language' })
    const code = langCode === 'AUTO' ? 'mul' : langCode.replaceAll('_', '-').toLowerCase()
    return names.of(code) ?? langCode
  } catch {
    return langCode
  }
}

const sentences: Readonly<Record<string, string>> = {
  ar: 'مرحبا، هكذا يبدو صوتي.',
  cs: 'Dobrý den, takhle zní můj hlas.',
  da: 'Hej, sådan lyder min stemme.',
  de: 'Guten Tag, so klingt meine Stimme.',
  el: 'Γεια σας, έτσι ακούγεται η φωνή μου.',
  en: 'Hello, this is how my voice sounds.',
  es: 'Hola, así suena mi voz.',
  fi: 'Hei, tältä ääneni kuulostaa.',
  fr: 'Bonjour, voici comment sonne ma voix.',
  he: 'שלום, כך נשמע הקול שלי.',
  hi: 'नमस्ते, मेरी आवाज़ ऐसी है।',
  hu: 'Jó napot, így szól a hangom.',
  id: 'Halo, beginilah suara saya.',
  it: 'Buongiorno, la mia voce suona così.',
  ja: 'こんにちは。私の声はこのように聞こえます。',
  ko: '안녕하세요. 제 목소리는 이렇게 들립니다.',
  nl: 'Hallo, zo klinkt mijn stem.',
  no: 'Hei, slik høres stemmen min ut.',
  pl: 'Dzień dobry, tak brzmi mój głos.',
  pt: 'Olá, é assim que soa a minha voz.',
  ro: 'Bună ziua, așa sună vocea mea.',
  ru: 'Здравствуйте, вот как звучит мой голос.',
  sv: 'Hej, så här låter min röst.',
  th: 'สวัสดี นี่คือเสียงของฉัน',
  tr: 'Merhaba, sesim böyle duyuluyor.',
  uk: 'Добрий день, ось так звучить мій голос.',
  vi: 'Xin chào, giọng nói của tôi nghe như thế này.',
  zh: '你好，这就是我的声音。',
}

/** A sample sentence in the language of a voice; English if there is none. */
export function sampleSentence(langCode?: string | null): string {
  const language = languageOf(langCode ?? '')
  return sentences[Object.hasOwn(sentences, language) ? language : 'en']!
}
