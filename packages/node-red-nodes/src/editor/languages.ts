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
  AR: 'مرحبا، هكذا يبدو صوتي.',
  CS: 'Dobrý den, takhle zní můj hlas.',
  DA: 'Hej, sådan lyder min stemme.',
  DE: 'Guten Tag, so klingt meine Stimme.',
  EL: 'Γεια σας, έτσι ακούγεται η φωνή μου.',
  EN: 'Hello, this is how my voice sounds.',
  ES: 'Hola, así suena mi voz.',
  FI: 'Hei, tältä ääneni kuulostaa.',
  FR: 'Bonjour, voici comment sonne ma voix.',
  HE: 'שלום, כך נשמע הקול שלי.',
  HI: 'नमस्ते, मेरी आवाज़ ऐसी है।',
  HU: 'Jó napot, így szól a hangom.',
  ID: 'Halo, beginilah suara saya.',
  IT: 'Buongiorno, la mia voce suona così.',
  JA: 'こんにちは。私の声はこのように聞こえます。',
  KO: '안녕하세요. 제 목소리는 이렇게 들립니다.',
  NL: 'Hallo, zo klinkt mijn stem.',
  NO: 'Hei, slik høres stemmen min ut.',
  PL: 'Dzień dobry, tak brzmi mój głos.',
  PT: 'Olá, é assim que soa a minha voz.',
  RO: 'Bună ziua, așa sună vocea mea.',
  RU: 'Здравствуйте, вот как звучит мой голос.',
  SV: 'Hej, så här låter min röst.',
  TH: 'สวัสดี นี่คือเสียงของฉัน',
  TR: 'Merhaba, sesim böyle duyuluyor.',
  UK: 'Добрий день, ось так звучить мій голос.',
  VI: 'Xin chào, giọng nói của tôi nghe như thế này.',
  ZH: '你好，这就是我的声音。',
}

/** A sample sentence in the language of a voice; English if there is none. */
export function sampleSentence(langCode?: string | null): string {
  const language = langCode?.split('_')[0] ?? 'EN'
  return sentences[language] ?? sentences['EN']!
}
